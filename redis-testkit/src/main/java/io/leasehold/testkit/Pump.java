package io.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Carries the bytes of one direction of one connection, on two threads: one reads and stamps each
 * chunk with the time at which it is due, the other writes it then. So latency is that of a wire:
 * what was sent together arrives together, later. The line between the two holds a bounded number
 * of chunks; beyond that the sender feels the back pressure of a slow receiver as it would without
 * a proxy.
 */
final class Pump {

  private static final int CHUNK_BYTES = 16 * 1024;
  private static final int LINE_CHUNKS = 1024;

  private final ProxiedConnection connection;
  private final Wire wire;
  private final Socket from;
  private final Socket to;
  private final BlockingQueue<Parcel> line = new LinkedBlockingQueue<>(LINE_CHUNKS);
  private volatile boolean halfClosed;

  Pump(ProxiedConnection connection, Wire wire, Socket from, Socket to) {
    this.connection = connection;
    this.wire = wire;
    this.from = from;
    this.to = to;
  }

  void read() throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    while (true) {
      wire.awaitOpen();
      int length = in.read(buffer);
      // It may have become a black hole while the read waited.
      wire.awaitOpen();
      if (length < 0) {
        line.put(new End(due()));
        return;
      }
      byte[] bytes = Arrays.copyOf(buffer, length);
      long due = due();
      switch (wire.fateOf(connection.number(), bytes)) {
        case PASS -> line.put(new Bytes(due, bytes));
        case DROP_AND_CUT -> connection.cut(Cut.RST);
        case DROP -> {
          // Nothing to pass on.
        }
      }
    }
  }

  void write() throws IOException, InterruptedException {
    Alarm alarm = new Alarm();
    while (true) {
      Parcel parcel = line.take();
      alarm.await(parcel.due());
      wire.awaitOpen();
      if (parcel instanceof Bytes chunk) {
        deliver(chunk.bytes());
      } else {
        halfClose();
        return;
      }
    }
  }

  /** Ends the stream to the receiver. What still comes from the sender is swallowed. */
  void halfClose() throws IOException {
    if (!halfClosed) {
      halfClosed = true;
      to.shutdownOutput();
    }
  }

  private void deliver(byte[] bytes) throws IOException {
    if (halfClosed) {
      return;
    }
    try {
      wire.countPassed(bytes);
      to.getOutputStream().write(bytes);
    } catch (IOException e) {
      if (!halfClosed) {
        throw e;
      }
    }
  }

  private long due() {
    return System.nanoTime() + wire.delayNanos();
  }

  private sealed interface Parcel permits Bytes, End {
    long due();
  }

  private static final class Bytes implements Parcel {
    private final long due;
    private final byte[] bytes;

    Bytes(long due, byte[] bytes) {
      this.due = due;
      this.bytes = bytes;
    }

    @Override
    public long due() {
      return due;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  private record End(long due) implements Parcel {}
}
