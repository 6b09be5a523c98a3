package io.leasehold.redis;

import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Gives a driver the replies that came together a few at a time, after they have passed a {@link
 * RespGate}. Each of them wakes a thread, which is about to ask for something again, and waking it
 * takes as long as its request takes the server. An event loop that first wakes all of them has a
 * server wait that could be at work; here it does between two portions what it was given to do
 * meanwhile, and that is to send.
 *
 * <p>For one connection, and used by its event loop alone.
 */
final class Portions {
  /** See docs/adr/0013-shared-connections.md. */
  static final int REPLIES = 4;

  /**
   * So many chunks may wait for their turn, of up to 64 KB each. If there are more, all of them are
   * read at once, and the loop reads nothing from the socket meanwhile: whoever sends faster than
   * this reads must wait, and not find memory without end.
   */
  static final int MOST_KEPT = 16;

  private final RespGate gate;
  private final Executor loop;
  private final Consumer<ProtocolException> refused;
  private final Queue<Chunk> kept = new ArrayDeque<>();
  private boolean goesOn; // the loop was given the rest to do

  /** Bytes that came, from which nobody has read those behind an index. */
  private static final class Chunk {
    private final RespGate.Bytes bytes;
    private final int end;
    private final IntConsumer reader;
    private int from;

    Chunk(RespGate.Bytes bytes, int from, int end, IntConsumer reader) {
      this.bytes = bytes;
      this.from = from;
      this.end = end;
      this.reader = reader;
    }
  }

  /**
   * @param loop the event loop
   * @param refused hears when a reply must not be read; nothing is read after it
   */
  Portions(RespGate gate, Executor loop, Consumer<ProtocolException> refused) {
    this.gate = gate;
    this.loop = loop;
    this.refused = refused;
  }

  /**
   * Bytes have come: has the driver read them, now or soon.
   *
   * @param end the index behind the last one
   * @param reader has the driver read so many of those that are left; none: they are dropped
   */
  void came(RespGate.Bytes bytes, int from, int end, IntConsumer reader) {
    kept.add(new Chunk(bytes, from, end, reader));
    if (kept.size() == 1) {
      readSome();
    } else if (kept.size() > MOST_KEPT) {
      readAll();
    }
  }

  /** Nothing will come any more: has the driver read all that is left. */
  void ended() {
    readAll();
  }

  private void readSome() {
    readOf(kept.element(), REPLIES);
    if (!kept.isEmpty() && !goesOn) {
      goesOn = true;
      loop.execute(this::goOn);
    }
  }

  private void goOn() {
    goesOn = false;
    if (!kept.isEmpty()) { // it has not been read meanwhile
      readSome();
    }
  }

  private void readAll() {
    while (!kept.isEmpty()) {
      readOf(kept.element(), Integer.MAX_VALUE);
    }
  }

  private void readOf(Chunk chunk, int replies) {
    try {
      int from = chunk.from;
      chunk.from = gate.pass(chunk.bytes, from, chunk.end, replies);
      if (chunk.from == chunk.end) {
        kept.remove();
      }
      chunk.reader.accept(chunk.from - from);
    } catch (ProtocolException e) {
      kept.forEach(dropped -> dropped.reader.accept(0));
      kept.clear();
      refused.accept(e);
    }
  }
}
