package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A master that is cut off from its replicas and sentinels, but not from all of its clients, goes
 * on granting until it notices that no replica follows ({@code min-replicas-to-write 1}).
 */
@Tag("full")
class SplitBrainTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String[] TERMS = {"maxLease=10s", "leaseTime=10s", "renewal=off"};

  @ParameterizedTest
  @EnumSource(Driver.class)
  void whatTheIsolatedMasterGrantedLastEndsBeforeTheNewOneGrants(Driver driver) throws Exception {
    try (RedisSentinels set =
            RedisSentinels.builder()
                .replicas(2) // with one, the new master would have none, and refuse to grant
                .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 2"))
                .behindProxies()
                .start();
        Guarded other = Guarded.vouched(driver.url(set, TERMS))) {
      RedisServer old = set.currentMaster();
      String direct = driver.url(old, "guard=on", "maxLease=10s", "leaseTime=10s", "renewal=off");
      try (Guarded beside = Guarded.vouched(direct)) {
        assertThat(beside.client().lock("warm-up").tryAcquire()).isPresent();
        assertThat(other.findings()).as("the recommended setting").isEmpty();
        set.proxyOf(old).blackHole();
        List<Lease> granted = grantsUntilRefused(beside);
        assertThat(granted).isNotEmpty();
        Lease last = granted.get(granted.size() - 1);

        set.awaitMasterOtherThan(old, BOUND);
        CompletableFuture<Lease> next =
            other.client().lock("name-" + (granted.size() - 1)).acquireAsync(BOUND);
        while (last.isHeld()) {
          assertThat(next).isNotDone();
          TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(next.get(BOUND.toSeconds(), TimeUnit.SECONDS).fencingToken())
            .isGreaterThan(last.fencingToken());
      }
    }
  }

  /** Each on a name of its own. */
  private static List<Lease> grantsUntilRefused(Guarded client) {
    List<Lease> granted = new ArrayList<>();
    await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              try {
                Optional<Lease> lease = client.client().lock("name-" + granted.size()).tryAcquire();
                lease.ifPresent(granted::add);
                return false;
              } catch (LockUnavailableException e) {
                return e.answers().toString().contains("TOO_FEW_REPLICAS");
              }
            });
    return granted;
  }
}
