package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_B_4;
import static io.leasehold.tck.Requirement.OBS_2;
import static io.leasehold.tck.Requirement.OBS_3;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.checks.EventLog.Kind;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** LIVE-B-4, OBS-2 and OBS-3 on a quorum: whose answer is waited for, and what is told of it. */
final class QuorumAnswerChecks {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration SLOW = Duration.ofMillis(300);
  private static final int CYCLES = 30;

  @Verifies(LIVE_B_4)
  void oneSlowNodeDoesNotSetTheLatency(Bench bench) throws InterruptedException {
    Members members = bench.members();
    Duration slow = bench.within(SLOW);
    for (int member : List.of(0, members.size() - 1)) { // the first and the last to be asked
      MemberTaps taps =
          members
              .taps()
              .on(
                  member,
                  new LateReplies(
                      slow, Operation.GRANT, Operation.RAISE, Operation.EXTEND, Operation.RELEASE));
      Duration command = slow.multipliedBy(2);
      LockClient client = bench.client().commandTimeout(command).members(taps).open();
      List<Duration> cycles = cycles(client, bench, slow.multipliedBy(3));
      Duration median = cycles.get(cycles.size() / 2);
      Duration worst = cycles.get(cycles.size() - 1);
      Expect.that(
          median.compareTo(slow.dividedBy(4)) < 0 && worst.compareTo(slow) < 0,
          "with one node %d ms late, acquire and release took %d ms in the median, %d ms at most"
              .formatted(slow.toMillis(), median.toMillis(), worst.toMillis()));
    }
  }

  /** How long it took each time, in order; no more of them once the time is over. */
  private static List<Duration> cycles(LockClient client, Bench bench, Duration time)
      throws InterruptedException {
    client.lock(bench.name()).acquire(WAIT).release(); // connections, scripts, classes
    List<Duration> cycles = new ArrayList<>();
    long start = System.nanoTime();
    while (cycles.size() < CYCLES && System.nanoTime() - start < time.toNanos()) {
      long begin = System.nanoTime();
      client.lock(bench.name()).acquire(WAIT).release();
      cycles.add(Duration.ofNanos(System.nanoTime() - begin));
    }
    Collections.sort(cycles);
    return cycles;
  }

  @Verifies(value = OBS_3, needs = Needs.QUORUM)
  void aFailureWithoutAMajorityTellsWhatEveryMemberAnswered(Bench bench) {
    Members members = bench.members();
    List<Integer> failing = members.some(members.majority());
    LockClient client = bench.client().members(failingOn(bench, failing)).open();
    LockUnavailableException error =
        Expect.thrown(
            LockUnavailableException.class,
            client.lock(bench.name())::tryAcquire,
            "tryAcquire with a majority out of memory");
    expectOneEach(members, error.answers(), "a failure without a majority");
    for (NodeAnswer answer : error.answers()) {
      boolean failed = failing.contains(members.taps().indexOf(answer.node()));
      Expect.that(
          !failed || answer.kind() == NodeAnswer.Kind.FAILED,
          "what a node that failed answered is told as " + answer);
      Expect.that(
          !failed || answer.detail().contains(FailureKind.OUT_OF_MEMORY.toString()),
          "how a node failed must be told, and is not in " + answer);
      Expect.that(
          String.valueOf(error.getMessage()).contains(answer.node()),
          "the message must name every node, and is: " + error.getMessage());
    }
  }

  @Verifies(value = OBS_3, needs = Needs.QUORUM)
  void aLeaseTellsHowEveryMemberVoted(Bench bench) throws InterruptedException {
    Members members = bench.members();
    List<Integer> failing = members.some(members.minority());
    LockClient client = bench.client().members(failingOn(bench, failing)).open();
    try (Lease lease = client.lock(bench.name()).acquire(WAIT)) {
      expectOneEach(members, lease.votes(), "a lease");
      long granted = 0;
      for (NodeAnswer vote : lease.votes()) {
        boolean gave = vote.kind() == NodeAnswer.Kind.GRANTED;
        granted += gave ? 1 : 0;
        Expect.that(
            !gave || !failing.contains(members.taps().indexOf(vote.node())),
            "a node that failed is told as one that voted for the lease: " + vote);
      }
      Expect.that(
          granted >= members.majority(),
          "a lease needs a majority of votes, and tells of " + lease.votes());
    }
  }

  private static MemberTaps failingOn(Bench bench, List<Integer> failing) {
    MemberTaps taps = bench.members().taps();
    failing.forEach(
        member -> taps.on(member, new FailingRequests(FailureKind.OUT_OF_MEMORY, Operation.GRANT)));
    return taps;
  }

  private static void expectOneEach(Members members, List<NodeAnswer> answers, String of) {
    Expect.equal(members.size(), answers.size(), "the number of answers told by " + of);
    Set<Integer> seen = new HashSet<>();
    answers.forEach(answer -> seen.add(members.taps().indexOf(answer.node())));
    Expect.equal(members.size(), seen.size(), "the number of different nodes told by " + of);
  }

  @Verifies(
      value = OBS_2,
      needs = {Needs.QUORUM, Needs.FENCING})
  void aSecondRoundOfAQuorumIsHeardAndAFirstThatSufficedToo(Bench bench)
      throws InterruptedException {
    Members members = bench.members();
    MemberTaps taps = members.taps();
    EventLog log = new EventLog();
    LockClient client = bench.client().listener(log).members(taps).open();
    client.lock(bench.name()).acquire(WAIT).release();
    for (int member : members.all()) {
      Expect.that(
          taps.wire(member).count(Operation.GRANT) <= 1, "a node was asked twice for one vote");
      Expect.equal(0, taps.wire(member).count(Operation.RAISE), "the raises of one round");
    }
    String apart = bench.name();
    members.drift(apart);
    client.lock(apart).acquire(WAIT).release();
    Waiting.until("both are heard", bench.tolerance(), () -> log.of(Kind.ACQUIRED).size() == 2);
    List<EventLog.Event> heard = log.of(Kind.ACQUIRED);
    Expect.equal(1, heard.get(0).detail(), "the rounds heard of nodes that agree");
    Expect.that(
        !heard.get(1).detail().equals(1),
        "nodes that do not agree need a second round, and none is heard");
    expectOneEach(members, heard.get(1).answers(), "what is heard of a grant");
  }
}
