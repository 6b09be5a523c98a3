package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_B_1;
import static io.leasehold.tck.Requirement.LIVE_B_2;
import static io.leasehold.tck.Requirement.LIVE_B_3;
import static io.leasehold.tck.Requirement.LIVE_B_7;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.Quorum.NodeFaults;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** LIVE-B-1 to 3, and 7: some of the servers of a quorum fail. */
final class QuorumFaultChecks {
  private static final Duration PROMPT = Duration.ofMillis(500);
  private static final Duration LEASE = Duration.ofMillis(2_400);
  private static final Duration OPENED = Duration.ofSeconds(8);
  private static final Duration RECOVERY = Duration.ofSeconds(3);
  private static final Duration COMMAND = Duration.ofMillis(400);
  private static final Duration WAIT = Duration.ofMillis(400);
  private static final int CYCLES = 5;

  @Verifies(value = LIVE_B_1, needs = Needs.NODE_FAULTS, seconds = 120)
  void withAMinorityKilledAcquireAndReleaseGoOn(Bench bench) throws InterruptedException {
    expectGoesOn(bench, NodeFaults::kill, NodeFaults::restart, "killed");
  }

  @Verifies(value = LIVE_B_2, needs = Needs.NODE_FAULTS, seconds = 120)
  void withAMinorityPausedAcquireAndReleaseGoOn(Bench bench) throws InterruptedException {
    expectGoesOn(bench, NodeFaults::pause, NodeFaults::resume, "paused");
  }

  @Verifies(value = LIVE_B_3, needs = Needs.NODE_FAULTS, seconds = 120)
  void withAMinorityBlackHoledAcquireAndReleaseGoOn(Bench bench) throws InterruptedException {
    expectGoesOn(bench, NodeFaults::blackHole, NodeFaults::heal, "black-holed");
  }

  private static void expectGoesOn(
      Bench bench, Consumer<NodeFaults> fault, Consumer<NodeFaults> cure, String how)
      throws InterruptedException {
    Members members = bench.members();
    String when = "with a minority " + how;
    LockClient before = patient(bench).open();
    Lease held = before.lock(bench.name()).acquire(RECOVERY);
    List<Integer> broken = members.some(members.minority());
    broken.forEach(member -> fault.accept(members.faults(member)));
    long since = System.nanoTime();

    expectServed(bench, before, when, patience(bench)); // it may have to find out
    LockClient after = bench.track(opened(bench, when));
    for (int i = 0; i < CYCLES; i++) {
      expectServed(bench, before, when, PROMPT);
      expectServed(bench, after, when + ", and by a new client", PROMPT);
    }
    Duration passed = Duration.ofNanos(System.nanoTime() - since);
    if (passed.compareTo(LEASE) < 0) {
      Waiting.always("a lease is renewed " + when, LEASE.minus(passed), held::isHeld);
    }
    Expect.that(held.isHeld(), "a lease must be renewed " + when);
    Expect.equal(ReleaseResult.RELEASED, released(held, when), "a release " + when);

    broken.forEach(member -> cure.accept(members.faults(member)));
    List<Integer> others = members.without(broken).subList(0, members.minority());
    others.forEach(member -> fault.accept(members.faults(member)));
    // What was sent to the first ones has to time out before they are asked anew.
    Duration again = patience(bench).plus(RECOVERY);
    expectServed(bench, before, when + ", after another one had been", again);
  }

  /** So patient that waiting for a silent server is longer than anything that is allowed here. */
  private static Opening patient(Bench bench) {
    return bench.client().commandTimeout(patience(bench)).lease(LEASE);
  }

  private static Duration patience(Bench bench) {
    return bench.within(PROMPT.multipliedBy(2));
  }

  private static LockClient opened(Bench bench, String when) throws InterruptedException {
    try {
      return Waiting.result(
          "a new client is opened " + when,
          bench.within(OPENED),
          bench.fork(() -> patient(bench).open()));
    } catch (LockException e) {
      throw Expect.violation("no new client can be opened " + when + ": " + e);
    }
  }

  /** The client takes and releases a lock, each within the bound. */
  private static void expectServed(Bench bench, LockClient client, String when, Duration bound)
      throws InterruptedException {
    Duration wait = bench.within(bound);
    Lease lease =
        timed(bench, bound, "acquire " + when, () -> client.lock(bench.name()).acquire(wait));
    ReleaseResult result = timed(bench, bound, "release " + when, () -> released(lease, when));
    Expect.equal(ReleaseResult.RELEASED, result, "a release " + when);
  }

  private static <T> T timed(Bench bench, Duration bound, String what, Callable<T> call)
      throws InterruptedException {
    long start = System.nanoTime();
    T result = Calmly.call(what, call);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    Expect.that(
        took.compareTo(bench.within(bound)) <= 0,
        what + " took " + took.toMillis() + " ms, of " + bench.within(bound).toMillis());
    return result;
  }

  private static ReleaseResult released(Lease lease, String when) throws InterruptedException {
    return Calmly.call("release " + when, lease::release);
  }

  @Verifies(value = LIVE_B_7, needs = Needs.NODE_FAULTS, seconds = 60)
  void withAMajoritySilentCallsFailInTimeAndLeaveNothing(Bench bench) throws InterruptedException {
    expectUnavailable(bench, NodeFaults::pause, "with a majority silent");
  }

  @Verifies(value = LIVE_B_7, needs = Needs.NODE_FAULTS, seconds = 60)
  void withAMajorityDeadCallsFailInTimeAndLeaveNothing(Bench bench) throws InterruptedException {
    expectUnavailable(bench, NodeFaults::kill, "with a majority dead");
  }

  private static void expectUnavailable(Bench bench, Consumer<NodeFaults> fault, String when)
      throws InterruptedException {
    Members members = bench.members();
    members.reach();
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    List<Integer> broken = members.some(members.majority());
    broken.forEach(member -> fault.accept(members.faults(member)));
    String first = bench.name();
    String second = bench.name();
    expectUnavailable(bench, COMMAND, "tryAcquire " + when, client.lock(first)::tryAcquire);
    expectUnavailable(
        bench, WAIT.plus(COMMAND), "acquire " + when, () -> client.lock(second).acquire(WAIT));
    for (String name : List.of(first, second)) {
      members.expectFree(members.without(broken), name, RECOVERY, "of a call that failed " + when);
    }
  }

  private static void expectUnavailable(Bench bench, Duration bound, String what, Callable<?> call)
      throws InterruptedException {
    Waiting.result(
        "an end of " + what,
        bench.within(bound),
        bench.fork(() -> Expect.thrown(LockUnavailableException.class, call, what)));
  }
}
