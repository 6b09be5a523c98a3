package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two of three servers have a lease, and one of the two comes back empty: together with the third,
 * which never had it, there is a majority that knows nothing of it.
 */
@Execution(ExecutionMode.CONCURRENT)
class RestartedNodeTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Not renewed: the holder hears nothing, and believes in its lease. */
  private static final String[] TERMS = {"maxLease=6s", "leaseTime=6s", "renewal=off"};

  private static final String[] UNGUARDED = {
    "maxLease=6s", "leaseTime=6s", "renewal=off", "guard=off"
  };

  @Test
  void nobodyElseGetsTheLockBeforeTheLeaseEnds() throws Exception {
    nobodyElseGetsTheLockBeforeTheLeaseEnds(Driver.JEDIS);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void nobodyElseGetsTheLockBeforeTheLeaseEnds(Driver driver) throws Exception {
    try (QuorumServers servers = QuorumServers.behindProxies(3).vouched();
        LockClient first = Locks.open(servers.url(driver, TERMS));
        LockClient second = Locks.open(servers.url(driver, TERMS))) {
      Lease held = onTheFirstTwo(servers, first);
      servers.restartEmpty(1);

      CompletableFuture<Lease> next = second.lock("a").acquireAsync(BOUND);
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofSeconds(10))
          .until(
              () -> {
                // In this order: a grant after the end is none of our business.
                boolean done = next.isDone();
                boolean over = !held.isHeld();
                assertThat(done && !over).as("granted while the lease is held").isFalse();
                return over;
              });
      Lease granted = next.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(granted.fencingToken()).isGreaterThan(held.fencingToken());
    }
  }

  @Test
  void withoutTheGuardSomebodyDoes() throws Exception {
    try (QuorumServers servers = QuorumServers.behindProxies(3);
        LockClient first = Locks.open(servers.url(Driver.LETTUCE, UNGUARDED));
        LockClient second = Locks.open(servers.url(Driver.LETTUCE, UNGUARDED))) {
      Lease held = onTheFirstTwo(servers, first);
      servers.restartEmpty(1);
      Lease stolen = second.lock("a").acquire(Duration.ofSeconds(4));
      assertThat(held.isHeld()).isTrue();
      assertThat(stolen.isHeld()).isTrue();
    }
  }

  /** The request to the third is lost on its way. */
  private static Lease onTheFirstTwo(QuorumServers servers, LockClient client) throws Exception {
    client.lock("warm-up").acquire(Duration.ofSeconds(5)).close();
    await().atMost(BOUND).until(() -> servers.holding("warm-up").isEmpty());
    servers.blackHole(2);
    Lease held = client.lock("a").acquire(Duration.ofSeconds(5));
    servers.healWithLosses(2);
    assertThat(servers.holding("a")).containsExactly(0, 1);
    return held;
  }
}
