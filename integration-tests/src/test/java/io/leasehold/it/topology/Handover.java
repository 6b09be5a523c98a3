package io.leasehold.it.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One lock goes from a client to another that waits for it. */
final class Handover {
  static final Duration BOUND = Duration.ofSeconds(20);

  private Handover() {}

  /** In database 0. */
  static void between(LockClient from, LockClient to, String name, RedisServer server)
      throws Exception {
    between(from, to, name, server, 0);
  }

  /** Taken by the one, refused to the other, which waits and is woken. */
  static void between(LockClient from, LockClient to, String name, RedisServer server, int database)
      throws Exception {
    Lease held = from.lock(name).tryAcquire().orElseThrow();
    assertThat(to.lock(name).tryAcquire()).isEmpty();
    CompletableFuture<Lease> waiting = to.lock(name).acquireAsync(BOUND);
    await().atMost(BOUND).until(() -> isInLine(name, server, database));
    assertThat(waiting).isNotDone();
    long start = System.nanoTime();
    held.release();
    try (Lease next = waiting.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
      // Who is not woken asks again when the lease of 30 s would have ended, or after 20 s.
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
    }
  }

  private static boolean isInLine(String name, RedisServer server, int database) {
    try (RespConnection connection = server.connect(BOUND)) {
      if (database != 0) {
        connection.call("SELECT", Integer.toString(database));
      }
      return connection.call("KEYS", "leasehold:waiters:*:" + name) instanceof List<?> lines
          && lines.size() == 1;
    }
  }
}
