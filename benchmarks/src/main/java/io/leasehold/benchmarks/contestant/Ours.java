package io.leasehold.benchmarks.contestant;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.Locks;
import java.util.List;
import java.util.stream.Collectors;

/** Our locks with their default options: a lease of 30 s, renewed. */
public final class Ours implements Client {
  private final LockClient client;

  private Ours(LockClient client) {
    this.client = client;
  }

  /** The URL of one server. */
  public static String url(String driver, int port) {
    return "lock:" + driver + ":redis://127.0.0.1:" + port;
  }

  /** The URL of several independent servers. */
  public static String redlock(String driver, List<Integer> ports) {
    return "lock:redlock:"
        + driver
        + ":redis://"
        + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","))
        // A driver that is loaded for the first time on a busy machine needs seconds to connect.
        + "?connectTimeout=10s";
  }

  /** Without listeners: those on the class path are there to be measured, by {@link Telemetry}. */
  static Ours open(String url) {
    return new Ours(Locks.builder().url(url).discoverListeners(false).open());
  }

  static Ours heardBy(LockListener listener, String url) {
    return new Ours(Locks.builder().url(url).discoverListeners(false).listener(listener).open());
  }

  @Override
  public Handle lock(String name) {
    DistributedLock lock = client.lock(name);
    return new Handle() {
      @Override
      public Object acquire() throws InterruptedException {
        return lock.acquire();
      }

      @Override
      public void release(Object held) {
        ((Lease) held).release();
      }
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
