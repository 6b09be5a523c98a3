package io.leasehold.it.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A grant counts when enough replicas have it, and not before. */
@Execution(ExecutionMode.CONCURRENT)
class MinReplicasTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aGrantIsOnTheReplicasWhenItReturns(Driver driver) throws Exception {
    try (RedisReplicas set = RedisReplicas.builder().replicas(2).start();
        LockClient client = Locks.open(driver.url(set.master(), "minReplicas=2"))) {
      for (int i = 0; i < 20; i++) {
        String name = "name-" + i;
        Lease lease = client.lock(name).acquire(BOUND);
        for (RedisServer replica : set.replicas()) {
          assertThat(replica.command("GET", name)).isNotNull();
        }
        lease.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void tooFewReplicasMeanReleasedAndNotGranted(Driver driver) {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).proxiedReplication().start();
        LockClient client =
            Locks.open(driver.url(set.master(), "minReplicas=1", "replicaTimeout=100ms"))) {
      set.replicationProxy(set.replicas().get(0)).blackHole();
      assertThatThrownBy(() -> client.lock("a").tryAcquire())
          .isInstanceOfSatisfying(
              LockUnavailableException.class,
              e -> assertThat(e.answers().toString()).contains("TOO_FEW_REPLICAS"));
      assertThat(set.master().command("EXISTS", "a")).isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void anExtensionThatReplicasDoNotGetDoesNotCount(Driver driver) throws Exception {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).proxiedReplication().start();
        LockClient client =
            Locks.open(
                driver.url(
                    set.master(), "minReplicas=1", "replicaTimeout=100ms", "leaseTime=1500ms"))) {
      AtomicReference<LossReason> lost = new AtomicReference<>();
      Lease lease = client.lock("a").acquire(BOUND);
      lease.onLost(event -> lost.set(event.reason()));
      await().during(Duration.ofMillis(2_500)).atMost(BOUND).until(lease::isHeld); // it is renewed
      set.replicationProxy(set.replicas().get(0)).blackHole();
      await().atMost(BOUND).until(() -> lost.get() != null);
      assertThat(lost.get()).isEqualTo(LossReason.RENEWAL_FAILED);
      await()
          .atMost(BOUND)
          .until(() -> Long.valueOf(0).equals(set.master().command("EXISTS", "a")));
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void waitingForReplicasHoldsNobodyElseUp(Driver driver) throws Exception {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).start();
        LockClient client = Locks.open(driver.url(set.master(), "minReplicas=1"))) {
      List<CompletableFuture<Lease>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(client.lock("name-" + i).acquireAsync(BOUND));
      }
      for (CompletableFuture<Lease> one : all) {
        one.get().close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aCycleIsThreeClientCalls(Driver driver) throws Exception {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).start();
        LockClient client = Locks.open(driver.url(set.master(), "minReplicas=1"))) {
      client.lock("warm-up").acquire(BOUND).close();
      long scripts = set.master().calls("evalsha");
      long waits = set.master().calls("wait");
      for (int i = 0; i < 100; i++) {
        client.lock("a").acquire(BOUND).close();
      }
      assertThat(set.master().calls("evalsha") - scripts).isEqualTo(200);
      assertThat(set.master().calls("wait") - waits).isEqualTo(100);
    }
  }

  @Test
  void replicasAreWaitedForWithinACommand() {
    assertThatThrownBy(() -> Locks.open(Driver.LETTUCE.at(1, "minReplicas=1", "replicaTimeout=2s")))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("replicaTimeout")
        .hasMessageContaining("commandTimeout");
  }
}
