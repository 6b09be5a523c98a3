package io.leasehold.redis;

import java.net.ProtocolException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * What stands between a connection that an event loop serves and its driver: replies come in
 * through a {@link RespGate}, in {@link Portions}, and requests go out by {@link Gathering}.
 *
 * <p>For one connection, and used by its event loop alone.
 */
public final class LoopGate {
  private final RespGate gate;
  private final Gathering gathering;
  private final Portions portions;

  /**
   * @param loop the event loop
   * @param sending sends what was written
   * @param refused hears when a reply must not be read; nothing is read after it
   */
  public LoopGate(
      RespGate gate, Executor loop, Runnable sending, Consumer<ProtocolException> refused) {
    this.gate = gate;
    this.gathering = new Gathering(loop, sending);
    this.portions = new Portions(gate, loop, refused);
  }

  /** Requests were written, and not sent yet. */
  public void wrote(int requests) {
    gathering.wrote(requests);
  }

  /** Sends what was written, now or soon. */
  public void flush() {
    gathering.flush(gate.begun());
  }

  /**
   * Bytes have come: has the driver read them, now or soon.
   *
   * @param end the index behind the last one
   * @param reader has the driver read so many of those that are left; none: they are dropped
   */
  public void came(RespGate.Bytes bytes, int from, int end, IntConsumer reader) {
    portions.came(bytes, from, end, reader);
  }

  /** Nothing will come any more: has the driver read all that is left. */
  public void ended() {
    portions.ended();
  }
}
