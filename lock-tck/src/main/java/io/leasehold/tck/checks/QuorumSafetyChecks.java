package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_2;
import static io.leasehold.tck.Requirement.SAFE_3;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** SAFE-2 and SAFE-3: what a majority is, and of whom. */
final class QuorumSafetyChecks {
  private static final Duration TTL = Duration.ofSeconds(20);
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration COMMAND = Duration.ofMillis(300);
  private static final Duration A_WHILE = Duration.ofMillis(400);

  @Verifies(SAFE_2)
  void aLockIsGrantedThoughAMinorityOfTheNodesIsAnothers(Bench bench) throws InterruptedException {
    Members members = bench.members();
    LockClient client = bench.open();
    for (int first = 0; first < members.size(); first++) {
      String name = bench.name();
      members.occupy(inARow(members, first, members.minority()), name, TTL);
      try (Lease lease = client.lock(name).acquire(WAIT)) {
        lease.ensureHeld();
      } catch (LockException e) {
        throw Expect.violation("a lock that a majority could grant is not to be had: " + e);
      }
    }
  }

  @Verifies(SAFE_2)
  void aLockIsBusyWhenAMajorityOfTheNodesIsAnothers(Bench bench) throws InterruptedException {
    Members members = bench.members();
    LockClient client = bench.open();
    for (int first = 0; first < members.size(); first++) {
      String name = bench.name();
      members.occupy(inARow(members, first, members.majority()), name, TTL);
      Optional<Lease> lease =
          Calmly.call("tryAcquire of a busy lock", client.lock(name)::tryAcquire);
      Expect.that(lease.isEmpty(), "a lock was granted that another has on a majority of nodes");
    }
  }

  @Verifies(SAFE_2)
  void clientsThatReachDifferentHalvesHoldNothing(Bench bench) throws InterruptedException {
    Members members = bench.members();
    int half = members.size() / 2;
    List<Integer> all = members.all();
    String name = bench.name();
    DistributedLock one = reaching(bench, all.subList(0, half)).open().lock(name);
    DistributedLock other =
        reaching(bench, all.subList(members.size() - half, members.size())).open().lock(name);
    for (int i = 0; i < 5; i++) {
      expectNoLease(one, "a client that reaches no more than half of the nodes");
      expectNoLease(other, "a client that reaches no more than the other half of the nodes");
    }
  }

  /** A client for which all other members are unreachable once it is opened. */
  private static Opening reaching(Bench bench, List<Integer> some) {
    MemberTaps taps = bench.members().taps();
    for (int member : bench.members().without(some)) {
      taps.on(
          member,
          new FailingRequests(
              FailureKind.UNREACHABLE,
              Operation.GRANT,
              Operation.RAISE,
              Operation.RELEASE,
              Operation.EXTEND,
              Operation.TRANSFER,
              Operation.INSPECT,
              Operation.WATCH));
    }
    return bench.client().members(taps);
  }

  @Verifies(value = SAFE_2, needs = Needs.NODE_FAULTS, seconds = 90)
  void withNoMoreThanAMinorityOfTheNodesUpNothingIsGranted(Bench bench)
      throws InterruptedException {
    Members members = bench.members();
    LockClient before = bench.client().commandTimeout(COMMAND).open();
    String name = bench.name();
    before.lock(bench.name()).acquire(WAIT).release();
    members.some(members.majority()).forEach(member -> members.faults(member).kill());
    Waiting.always(
        "a client that was there before gets nothing from a minority",
        A_WHILE,
        () -> {
          expectNoLease(before.lock(name), "a client that was there before the nodes died");
          return true;
        });
    for (Opening opening : List.of(bench.client(), bench.client().option("connect", "lazy"))) {
      Optional<LockClient> late = opened(opening.commandTimeout(COMMAND));
      if (late.isPresent()) {
        expectNoLease(late.get().lock(name), "a client that knows only a minority");
      }
    }
  }

  /** A client, unless it refuses to be opened without a majority, or has no such option. */
  private static Optional<LockClient> opened(Opening opening) {
    try {
      return Optional.of(opening.open());
    } catch (LockUnavailableException | LockConfigurationException e) {
      return Optional.empty();
    }
  }

  private static void expectNoLease(DistributedLock lock, String who) {
    Optional<Lease> lease;
    try {
      lease = lock.tryAcquire();
    } catch (LockUnavailableException e) {
      return; // what must happen; others see to how clearly it is said
    }
    Expect.that(lease.isEmpty(), who + " was granted a lock");
  }

  private static List<Integer> inARow(Members members, int first, int count) {
    List<Integer> row = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      row.add((first + i) % members.size());
    }
    return row;
  }

  @Verifies(SAFE_3)
  void theSameServerUnderTwoAddressesIsRefused(Bench bench) {
    String url = bench.members().sameServerTwiceUrl();
    LockConfigurationException error =
        Expect.thrown(
            LockConfigurationException.class,
            () -> bench.client().url(url).open(),
            "opening a client on a quorum with the same server twice");
    String message = String.valueOf(error.getMessage());
    Expect.that(
        LockUrl.parse(url).hosts().stream().anyMatch(host -> message.contains(host.toString())),
        "the message must name the server that stands there twice, and is: " + message);
  }
}
