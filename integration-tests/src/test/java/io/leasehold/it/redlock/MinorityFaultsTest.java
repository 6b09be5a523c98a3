package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.spi.NodeAnswer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Five servers, of which some fail. The normal run has each fault and each driver once with two of
 * them gone and once with three; every pair of them is in the full one.
 */
@Execution(ExecutionMode.CONCURRENT)
class MinorityFaultsTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration COMMAND = Duration.ofSeconds(1);
  private static final Duration TOLERANCE = Duration.ofSeconds(1);
  private static final Duration BOUND = Duration.ofSeconds(20);

  /** With room for a machine that is busy with other tests. */
  private static final String[] TERMS = {"leaseTime=2s", "maxLease=10s", "commandTimeout=1s"};

  private static final List<Integer> MINORITY = List.of(1, 4);
  private static final List<Integer> THE_REST = List.of(0, 2, 3);
  private static final List<Integer> MAJORITY = List.of(0, 1, 3);
  private static final List<Integer> THE_FEW = List.of(2, 4);

  static Stream<Arguments> everyPair() {
    return Arrays.stream(Driver.values())
        .flatMap(driver -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(driver, fault)));
  }

  @ParameterizedTest
  @CsvSource({"JEDIS, KILLED", "LETTUCE, PAUSED", "VERTX, BLACK_HOLED"})
  void withTwoOfFiveGoneAllGoesOn(Driver driver, Fault fault) throws InterruptedException {
    expectThatAllGoesOn(driver, fault);
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("everyPair")
  void withTwoOfFiveGoneAllGoesOnWithEveryDriver(Driver driver, Fault fault)
      throws InterruptedException {
    expectThatAllGoesOn(driver, fault);
  }

  @ParameterizedTest
  @CsvSource({"LETTUCE, KILLED", "VERTX, PAUSED", "JEDIS, BLACK_HOLED"})
  void withThreeOfFiveGoneItIsToldWithinTheDeadlineAndNothingIsLeft(Driver driver, Fault fault)
      throws InterruptedException {
    expectUnavailableAndRecovery(driver, fault);
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("everyPair")
  void withThreeOfFiveGoneItIsToldWithEveryDriver(Driver driver, Fault fault)
      throws InterruptedException {
    expectUnavailableAndRecovery(driver, fault);
  }

  private static void expectThatAllGoesOn(Driver driver, Fault fault) throws InterruptedException {
    try (QuorumServers servers = QuorumServers.behindProxies(5).vouched();
        LockClient client = Locks.open(servers.url(driver, TERMS))) {
      Lease before = client.lock("before").acquire(Duration.ofSeconds(5));
      MINORITY.forEach(node -> fault.strike(servers, node));

      Lease during = client.lock("during").acquire(Duration.ofSeconds(5));
      for (String address : servers.addresses()) {
        assertThat(during.votes()).filteredOn(vote -> vote.node().contains(address)).hasSize(1);
      }
      for (int i = 0; i < 30; i++) {
        Lease lease = client.lock("cycle-" + i % 3).acquire(Duration.ofSeconds(5));
        assertThat(servers.holding("cycle-" + i % 3, THE_REST)).hasSize(3);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(servers.holding("cycle-" + i % 3, THE_REST)).isEmpty();
      }
      await("both leases are renewed, one from before and one from after")
          .during(LEASE.plusMillis(500))
          .atMost(LEASE.plusSeconds(4))
          .until(() -> before.isHeld() && during.isHeld());
      assertThat(before.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(during.release()).isEqualTo(ReleaseResult.RELEASED);

      MINORITY.forEach(node -> fault.heal(servers, node));
      await("those that were gone vote again, by themselves")
          .atMost(BOUND)
          .until(() -> allVote(client, servers));
    }
  }

  private static void expectUnavailableAndRecovery(Driver driver, Fault fault)
      throws InterruptedException {
    try (QuorumServers servers = QuorumServers.behindProxies(5).vouched();
        LockClient client = Locks.open(servers.url(driver, TERMS))) {
      client.lock("warm-up").acquire(Duration.ofSeconds(5)).close();
      MAJORITY.forEach(node -> fault.strike(servers, node));

      long start = System.nanoTime();
      LockUnavailableException told =
          catchThrowableOfType(
              LockUnavailableException.class, () -> client.lock("a").acquire(DEADLINE));
      // An attempt that began just before the deadline may take a command timeout.
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isLessThan(DEADLINE.plus(COMMAND).plus(TOLERANCE));
      assertThat(told).isNotNull();
      expectAnswersOfAll(told, servers);

      start = System.nanoTime();
      LockUnavailableException toldAtOnce =
          catchThrowableOfType(LockUnavailableException.class, () -> client.lock("b").tryAcquire());
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(COMMAND.plus(TOLERANCE));
      assertThat(toldAtOnce).isNotNull();
      expectAnswersOfAll(toldAtOnce, servers);

      for (String name : List.of("a", "b")) {
        await("nothing of " + name + " is left where it can be seen")
            .atMost(TOLERANCE)
            .until(() -> servers.holding(name, THE_FEW).isEmpty());
      }

      MAJORITY.forEach(node -> fault.heal(servers, node));
      await("the client works again, by itself").atMost(BOUND).until(() -> works(client));
      await("and all of its servers vote").atMost(BOUND).until(() -> allVote(client, servers));
      await("what arrived late holds nothing")
          .atMost(LEASE.plus(TOLERANCE))
          .until(() -> servers.holding("a").isEmpty() && servers.holding("b").isEmpty());
    }
  }

  private static void expectAnswersOfAll(LockUnavailableException told, QuorumServers servers) {
    assertThat(told.answers()).hasSize(5);
    for (String address : servers.addresses()) {
      assertThat(told.answers())
          .as("the answer of " + address)
          .filteredOn(answer -> answer.node().contains(address))
          .hasSize(1);
      assertThat(told).hasMessageContaining(address);
    }
    assertThat(told.answers())
        .filteredOn(answer -> answer.kind() == NodeAnswer.Kind.FAILED)
        .as("those that failed")
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(answer -> assertThat(answer.detail()).isNotEmpty());
  }

  private static boolean works(LockClient client) {
    try {
      client.lock("again").tryAcquire().orElseThrow().close();
      return true;
    } catch (LockException e) {
      return false;
    }
  }

  /** Votes that nobody waited for count too: whether they were given is seen on the servers. */
  private static boolean allVote(LockClient client, QuorumServers servers) {
    try (Lease lease = client.lock("voted").tryAcquire().orElseThrow()) {
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .atMost(Duration.ofMillis(500))
          .until(() -> servers.holding("voted").size() == 5);
      return lease.isHeld();
    } catch (LockException | ConditionTimeoutException e) {
      return false;
    }
  }
}
