package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_2;
import static io.leasehold.tck.Requirement.FENCE_3;
import static io.leasehold.tck.Requirement.FENCE_7;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.FailureKind;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.ShiftedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** FENCE-2, 3 and 7 on a quorum: nodes that disagree, forget, or are ahead of the time. */
final class QuorumTokenChecks {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long SECOND = 1_000_000;

  /** The last token of a lock; each further one must be larger. */
  private static final class Growing {
    private long last;

    void next(long token, String when) {
      Expect.that(
          token > last, "the token " + token + " was given out after " + last + ", " + when);
      last = token;
    }

    void next(LockClient client, String name, String when) throws InterruptedException {
      try (Lease lease = Calmly.call("acquire " + when, () -> client.lock(name).acquire(WAIT))) {
        next(lease.fencingToken(), when);
      }
    }
  }

  @Verifies(
      value = FENCE_2,
      needs = {Needs.QUORUM, Needs.FENCING})
  void tokensGrowWhicheverMajorityAnswersAndHoweverItDisagrees(Bench bench)
      throws InterruptedException {
    Members members = bench.members();
    List<FailingRequests> failures = new ArrayList<>();
    MemberTaps taps = members.taps();
    for (int member : members.all()) {
      failures.add(new FailingRequests(FailureKind.LOADING, Operation.GRANT, Operation.RAISE));
      taps.on(member, failures.get(member));
    }
    SyncNode node = bench.newNode(bench.client().members(taps));
    String name = bench.name();
    Growing tokens = new Growing();
    for (int i = 0; i < 30; i++) {
      failures.forEach(FailingRequests::off);
      if (i % 3 == 0) {
        Duration ahead = Duration.ofMillis(bench.random().nextLong(4_000));
        members.lift(members.some(1).get(0), name, ahead);
      }
      members.some(members.minority()).forEach(member -> failures.get(member).on());
      long proposal = now(members, 0) + bench.random().nextLong(-10 * SECOND, 4 * SECOND);
      tokens.next(members.grantAndRelease(node, name, proposal), "by another majority");
    }
  }

  @Verifies(
      value = FENCE_2,
      needs = {Needs.QUORUM, Needs.FENCING})
  void tokensGrowOnNodesWhoseClocksDiffer(Bench bench) throws InterruptedException {
    Members members = bench.members();
    List<ShiftedServer> servers = new ArrayList<>();
    for (int member : members.all()) {
      servers.add(new ShiftedServer(Duration.ofSeconds(2L * (member % 3 - 1))));
    }
    List<LockClient> clients = List.of(on(bench, servers).open(), on(bench, servers).open());
    SyncNode node = bench.newNode(on(bench, servers));
    String name = bench.name();
    Growing tokens = new Growing();
    for (int i = 0; i < 12; i++) {
      tokens.next(clients.get(i % 2), name, "on nodes whose clocks differ");
      long proposal = now(members, 0) + bench.random().nextLong(-4 * SECOND, 2 * SECOND);
      tokens.next(members.grantAndRelease(node, name, proposal), "on nodes whose clocks differ");
    }
  }

  /** A client whose members are these. */
  private static Opening on(Bench bench, List<ShiftedServer> servers) {
    MemberTaps taps = bench.members().taps();
    for (int member = 0; member < servers.size(); member++) {
      taps.on(member, servers.get(member));
    }
    return bench.client().members(taps);
  }

  @Verifies(value = FENCE_3, needs = Needs.NODE_FAULTS, seconds = 120)
  void tokensGrowThoughMinoritiesForget(Bench bench) throws InterruptedException {
    Members members = bench.members();
    members.reach();
    LockClient ahead = bench.client().clock(new ShiftedClock(HOUR)).open();
    LockClient behind = bench.client().clock(new ShiftedClock(HOUR.negated())).open();
    String name = bench.name();
    Growing tokens = new Growing();
    for (int turn = 0; turn < 3; turn++) {
      // As far ahead as a client may propose, and then as far behind as one can be.
      long proposal = now(members, 0) + 4 * SECOND;
      long highest = members.grantAndRelease(bench.newNode(), name, proposal);
      tokens.next(highest, "before a minority forgot");
      spread(members, name, highest);
      List<Integer> forgetful = members.some(members.minority());
      forgetful.forEach(member -> members.faults(member).loseState());
      tokens.next(
          members.grantAndRelease(mostlyOf(bench, forgetful), name, 1), "when a minority forgot");
      tokens.next(ahead, name, "by a client that is an hour ahead, when a minority forgot");
      tokens.next(behind, name, "by a client that is an hour behind, when a minority forgot");
    }
  }

  /**
   * Sees to it that all nodes know a token, which so far a majority does. If only a majority knew
   * it, to lose some of them and to vouch for these would be the kit's fault, not the quorum's.
   */
  private static void spread(Members members, String name, long token) throws InterruptedException {
    for (int member : members.all()) {
      for (int i = 0; i < 20 && members.inspect(member, name).fence() < token; i++) {
        Waiting.pause(Duration.ofMillis(5)); // it may just be a little later
      }
      if (members.inspect(member, name).fence() < token) {
        members.grantAndRelease(members.at(member), name, token);
      }
    }
  }

  /** A client that needs the votes of these, because it does not reach as many of the others. */
  private static SyncNode mostlyOf(Bench bench, List<Integer> some) {
    Members members = bench.members();
    MemberTaps taps = members.taps();
    for (int member : members.without(some).subList(0, members.minority())) {
      taps.on(member, new FailingRequests(FailureKind.LOADING, Operation.GRANT, Operation.RAISE));
    }
    return bench.newNode(bench.client().members(taps));
  }

  @Verifies(FENCE_7)
  void aNodeThatIsAnHourAheadDragsNobodyAlong(Bench bench) throws InterruptedException {
    ShiftedServer fast = new ShiftedServer(HOUR);
    ShiftedServer next = new ShiftedServer(HOUR);
    next.putRight();
    String name = bench.name();
    Growing tokens = new Growing();
    expectContained(bench, fast, next, name, tokens, "with a node that is an hour ahead");
    fast.putRight();
    expectContained(bench, fast, next, name, tokens, "after a node was an hour ahead");
    next.putWrong();
    String other = bench.name(); // on the first, two nodes would be beyond everybody's reach now
    expectContained(bench, fast, next, other, new Growing(), "with another one an hour ahead");
  }

  private static void expectContained(
      Bench bench,
      ShiftedServer first,
      ShiftedServer last,
      String name,
      Growing tokens,
      String when)
      throws InterruptedException {
    Members members = bench.members();
    int honest = 1; // neither the first nor the last
    MemberTaps taps = members.taps().on(0, first).on(members.size() - 1, last);
    MemberTaps further = members.taps().on(0, first).on(members.size() - 1, last);
    SyncNode node = bench.newNode(bench.client().members(taps));
    LockClient client = bench.client().members(further).open();
    for (int i = 0; i < 4; i++) {
      if (i % 2 == 1) {
        members.lift(honest, name, Duration.ofSeconds(3)); // now they disagree in any case
      }
      tokens.next(members.grantAndRelease(node, name, now(members, honest)), when);
      expectNear(members, honest, tokens, when);
      tokens.next(client, name, when);
      expectNear(members, honest, tokens, when);
    }
  }

  private static void expectNear(Members members, int honest, Growing tokens, String when)
      throws InterruptedException {
    long most = now(members, honest) + 6 * SECOND;
    Expect.that(
        tokens.last <= most,
        when + " a token is " + (tokens.last - most) / SECOND + " s beyond the clocks and 6 s");
  }

  private static long now(Members members, int member) throws InterruptedException {
    return members.inspect(member, "any").serverMicros(); // asked again after a restart
  }
}
