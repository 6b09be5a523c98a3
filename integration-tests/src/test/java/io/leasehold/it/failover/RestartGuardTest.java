package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.it.Driver;
import io.leasehold.testkit.Persistence;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One server that restarts, with its data, without, or with data of yesterday. */
@Execution(ExecutionMode.CONCURRENT)
class RestartGuardTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Not renewed: the holder hears nothing, and believes in its lease. */
  private static final String[] TERMS = {"guard=on", "maxLease=6s", "leaseTime=6s", "renewal=off"};

  @Test
  void aRestartWithoutDataHandsNobodyALockThatIsHeld() throws Exception {
    try (RedisServer server = RedisServer.start();
        Guarded first = Guarded.vouched(Driver.LETTUCE.url(server, TERMS));
        Guarded second = Guarded.open(Driver.JEDIS.url(server, TERMS))) {
      Lease held = first.client().lock("a").acquire(Duration.ofSeconds(5));
      server.restart(RedisServer.Data.LOST);
      expectNotBeforeTheEnd(held, second);
    }
  }

  @Test
  void aStaleSnapshotHandsNobodyALockThatIsHeld() throws Exception {
    try (RedisServer server = RedisServer.builder().persistence(Persistence.ON_SAVE).start();
        Guarded first = Guarded.vouched(Driver.LETTUCE.url(server, TERMS));
        Guarded second = Guarded.open(Driver.VERTX.url(server, TERMS))) {
      first.client().lock("before").acquire(Duration.ofSeconds(5)).close(); // G is in the snapshot
      Snapshot yesterday = server.snapshot();
      Lease held = first.client().lock("a").acquire(Duration.ofSeconds(5));
      server.restart(yesterday);
      assertThat(server.command("EXISTS", "leasehold:guard")).isEqualTo(1L);
      expectNotBeforeTheEnd(held, second);
    }
  }

  @Test
  void withoutTheGuardARestartHandsItToTheNext() throws Exception {
    try (RedisServer server = RedisServer.start();
        Guarded first =
            Guarded.open(
                Driver.LETTUCE.url(server, "maxLease=6s", "leaseTime=6s", "renewal=off"))) {
      Lease held = first.client().lock("a").acquire(Duration.ofSeconds(5));
      server.restart(RedisServer.Data.LOST);
      try (Guarded second = Guarded.open(Driver.JEDIS.url(server))) {
        Lease stolen = second.client().lock("a").acquire(Duration.ofSeconds(5));
        assertThat(held.isHeld()).isTrue();
        assertThat(stolen.isHeld()).isTrue();
      }
    }
  }

  @Test
  void anEvictingServerIsRefusedWithTheGuardAndWarnedOfWithout() {
    try (RedisServer server =
        RedisServer.builder().config("maxmemory 100mb", "maxmemory-policy allkeys-lru").start()) {
      for (Driver driver : Driver.values()) {
        Assertions.assertThatThrownBy(() -> Guarded.open(driver.url(server, "guard=on")))
            .isInstanceOf(LockUnavailableException.class)
            .hasMessageContaining("maxmemory-policy");
        try (Guarded warned = Guarded.open(driver.url(server))) {
          assertThat(warned.findings()).containsExactly("LH-201");
        }
      }
    }
  }

  private static void expectNotBeforeTheEnd(Lease held, Guarded other) throws Exception {
    CompletableFuture<Lease> next = other.client().lock("a").acquireAsync(BOUND);
    while (held.isHeld()) {
      assertThat(next).isNotDone();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    Lease granted = next.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(granted.fencingToken()).isGreaterThan(held.fencingToken());
  }
}
