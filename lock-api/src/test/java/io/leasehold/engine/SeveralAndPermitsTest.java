package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedSemaphore;
import io.leasehold.Lease;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.NotHeld;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several locks at once, and semaphores, over the views of a node. */
class SeveralAndPermitsTest {
  private final EngineFixture engine = new EngineFixture();
  private final VirtualTime time = engine.time;
  private final KindsNode node = new KindsNode(engine.node, time);
  private final LockClient client =
      Locks.builder()
          .node(node)
          .clock(time)
          .scheduler(time)
          .discoverListeners(false)
          .option("prefix", "p:")
          .open();

  private ScriptedNode set(String... names) {
    return Objects.requireNonNull(node.sets.get(List.of(names)));
  }

  @Test
  void aSetIsOneLeaseWhateverTheOrderOfNames() {
    DistributedLock all = client.all("b", "a", "b");
    Lease lease = all.tryAcquire().orElseThrow();
    assertThat(node.sets.keySet()).containsExactly(List.of("p:a", "p:b"));
    assertThat(set("p:a", "p:b").grants).hasSize(1);
    assertThat(lease.lockName()).isEqualTo("a, b");
    assertThat(lease.fencingToken()).isPositive();
    lease.release();
    assertThat(set("p:a", "p:b").releases).hasSize(1);
    assertThat(engine.node.grants).isEmpty();
  }

  @Test
  void aSetOfOneIsAPlainLock() {
    assertThat(client.all("a").tryAcquire()).isPresent();
    assertThat(engine.node.grants).extracting(GrantRequest::name).containsExactly("p:a");
    assertThat(node.sets).isEmpty();
  }

  @Test
  void losingOneGivesTheOthersBack() {
    Lease lease = client.all("a", "b").tryAcquire().orElseThrow();
    ScriptedNode set = set("p:a", "p:b");
    set.onExtend = request -> new NotHeld(NotHeld.Cause.TAKEN, set.micros());
    time.advance(Duration.ofSeconds(11));
    assertThat(lease.isHeld()).isFalse();
    assertThat(set.releases).hasSize(1);
  }

  @Test
  void setsWhoseNamesRunTogetherAreDifferent() {
    Lock one = client.all("a", "b, c").asLock();
    Lock two = client.all("a, b", "c").asLock();
    assertThat(one.tryLock()).isTrue();
    assertThat(two.tryLock()).isTrue();
    assertThat(node.sets).hasSize(2);
    one.unlock();
    two.unlock();
  }

  @Test
  void aNodeThatOffersNoSetsIsAskedForOneLockAfterTheOther() {
    Granted same = engine.node.granted();
    engine.node.onGrant = request -> ScriptedNode.done(same);
    try (LockClient plain = engine.open()) {
      Lease lease = plain.all("b", "a").tryAcquire().orElseThrow();
      assertThat(engine.node.grants).extracting(GrantRequest::name).containsExactly("a", "b");
      lease.release();
      assertThat(engine.node.releases).hasSize(2);
    }
  }

  @Test
  void whatCannotBeASetIsRefused() {
    List<String> many = IntStream.range(0, 65).mapToObj(i -> "n" + i).toList();
    for (List<String> wrong : List.of(List.<String>of(), many, List.of("a", " "))) {
      assertThatThrownBy(() -> client.all(wrong, LockOptions.defaults()))
          .isInstanceOf(LockConfigurationException.class);
    }
    assertThatThrownBy(() -> client.all(List.of("a", "b"), LockOptions.defaults().withFair()))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("fair");
  }

  @Test
  void aSemaphoreAsksTheViewWithItsNumber() {
    DistributedSemaphore semaphore = client.semaphore("s", 3);
    assertThat(semaphore.permits()).isEqualTo(3);
    Lease one = semaphore.tryAcquire().orElseThrow();
    Lease two = semaphore.tryAcquire().orElseThrow();
    ScriptedNode permits = Objects.requireNonNull(node.permits.get(3));
    assertThat(permits.grants).extracting(GrantRequest::name).containsExactly("p:s", "p:s");
    assertThat(one.isHeld() && two.isHeld()).isTrue();
    one.release();
    assertThat(two.isHeld()).isTrue();
    assertThat(client.semaphore("s", 2).tryAcquire()).isPresent();
    assertThat(Objects.requireNonNull(node.permits.get(2)).grants).hasSize(1);
  }

  @Test
  void permitsAreRenewedWhereTheyWereGiven() {
    Lease lease = client.semaphore("s", 3).tryAcquire().orElseThrow();
    time.advance(Duration.ofSeconds(25));
    assertThat(lease.isHeld()).isTrue();
    assertThat(Objects.requireNonNull(node.permits.get(3)).extensions).isNotEmpty();
    assertThat(engine.node.extensions).isEmpty();
  }

  @Test
  void whatCannotBeASemaphoreIsRefused() {
    for (int wrong : new int[] {0, -1, 100_001}) {
      assertThatThrownBy(() -> client.semaphore("s", wrong))
          .isInstanceOf(LockConfigurationException.class)
          .hasMessageContaining("permits");
    }
    try (LockClient plain = engine.open()) {
      assertThatThrownBy(() -> plain.semaphore("s", 1))
          .isInstanceOf(LockCapabilityException.class)
          .hasMessageContaining("semaphores");
    }
  }
}
