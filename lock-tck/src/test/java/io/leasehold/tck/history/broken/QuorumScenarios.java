package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.acquire;
import static io.leasehold.tck.history.broken.Workshop.hold;
import static io.leasehold.tck.history.broken.Workshop.join;
import static io.leasehold.tck.history.broken.Workshop.pause;
import static io.leasehold.tck.history.broken.Workshop.use;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.tck.Quorum.NodeFaults;
import io.leasehold.tck.history.FaultMark;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Five servers, some of which fail. */
final class QuorumScenarios {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(8);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** Two are dead, and everything goes on. */
  static final Scenario DEAD_MINORITY =
      Scenario.on(On.QUORUM, "dead minority", LEASE, QuorumScenarios::deadMinority);

  /** Two are silent, and everything goes on. */
  static final Scenario SILENT_MINORITY =
      Scenario.on(On.QUORUM, "silent minority", LEASE, QuorumScenarios::silentMinority);

  /** Three are dead, then two others. */
  static final Scenario CHANGING_MAJORITIES =
      Scenario.on(On.QUORUM, "changing majorities", LEASE, QuorumScenarios::changingMajorities);

  /** A client was given one server twice. */
  static final Scenario TWINS = Scenario.on(On.QUORUM, "twins", LEASE, QuorumScenarios::twins);

  /** Three cannot be reached until what they know of a lease has ended. */
  static final Scenario SHORT_OF_A_MAJORITY =
      Scenario.on(
          On.QUORUM,
          "short of a majority",
          Duration.ofSeconds(3),
          QuorumScenarios::shortOfMajority);

  /** Two answer when a call has been refused. */
  static final Scenario LATE_VOTES =
      Scenario.on(On.QUORUM, "late votes", LONG, QuorumScenarios::lateVotes);

  /** More clients than servers want one lock. */
  static final Scenario CROWD =
      Scenario.on(On.QUORUM, "crowd on a quorum", LEASE, QuorumScenarios::crowd);

  private QuorumScenarios() {}

  private static void each(Workshop shop, Consumer<NodeFaults> fault, int... nodes) {
    for (int node : nodes) {
      fault.accept(shop.quorum().node(node));
    }
  }

  private static List<FaultMark> marks(Workshop shop, String kind, int... nodes) {
    return IntStream.of(nodes).mapToObj(node -> shop.fault(kind, "server-" + node)).toList();
  }

  private static void deadMinority(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LEASE));
    LockClient other = shop.open("other", shop.client().lease(LEASE));
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    List<FaultMark> marks = marks(shop, "kill", 1, 3);
    each(shop, NodeFaults::kill, 1, 3);
    CompletableFuture<Boolean> holding =
        shop.fork(
            () -> {
              if (lease.isPresent()) {
                hold(lease.get(), LEASE.plusSeconds(1));
                lease.get().close();
              }
              return true;
            });
    long end = System.nanoTime() + LEASE.plusSeconds(1).toNanos();
    String another = shop.name();
    while (System.nanoTime() - end < 0) {
      use(other.lock(another), Duration.ZERO, MOMENT);
      pause(300);
    }
    join(holding);
    each(shop, NodeFaults::restart, 1, 3);
    marks.forEach(FaultMark::close);
  }

  private static void silentMinority(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient client =
        shop.open("p", shop.client().lease(LONG).commandTimeout(Duration.ofSeconds(6)));
    List<FaultMark> marks = marks(shop, "pause", 0, 2);
    each(shop, NodeFaults::pause, 0, 2);
    use(client.lock(name), WAIT, MOMENT);
    each(shop, NodeFaults::resume, 0, 2);
    marks.forEach(FaultMark::close);
  }

  private static void changingMajorities(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient one = shop.open("one", shop.client().lease(LEASE));
    LockClient other = shop.open("other", shop.client().lease(LEASE));
    List<FaultMark> marks = marks(shop, "kill", 0, 1, 2);
    each(shop, NodeFaults::kill, 0, 1, 2);
    Optional<Lease> lease = acquire(one.lock(name), Duration.ZERO);
    CompletableFuture<Boolean> holding =
        shop.fork(
            () -> {
              if (lease.isPresent()) {
                hold(lease.get(), Duration.ofSeconds(2));
                lease.get().close();
              }
              return true;
            });
    each(shop, NodeFaults::restart, 0, 1, 2);
    marks.forEach(FaultMark::close);
    marks = marks(shop, "kill", 3, 4);
    each(shop, NodeFaults::kill, 3, 4);
    use(other.lock(name), Duration.ofSeconds(1), Duration.ofMillis(300));
    join(holding);
    each(shop, NodeFaults::restart, 3, 4);
    marks.forEach(FaultMark::close);
  }

  private static void twins(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient one;
    try {
      one = shop.open("one", shop.client().lease(LEASE).url(shop.quorum().sameServerTwiceUrl()));
    } catch (LockConfigurationException e) {
      return; // refused, as it must be
    }
    LockClient other = shop.open("other", shop.client().lease(LEASE));
    List<FaultMark> marks = marks(shop, "kill", 2, 3);
    each(shop, NodeFaults::kill, 2, 3);
    Optional<Lease> lease = acquire(one.lock(name), Duration.ofSeconds(1));
    each(shop, NodeFaults::restart, 2, 3);
    marks.forEach(FaultMark::close);
    CompletableFuture<Boolean> after =
        shop.using(other.lock(name), Duration.ofSeconds(1), Duration.ofMillis(500));
    if (lease.isPresent()) {
      hold(lease.get(), Duration.ofSeconds(2));
      lease.get().close();
    }
    join(after);
  }

  private static void shortOfMajority(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Duration time = Duration.ofSeconds(3);
    LockClient holder = shop.open("holder", shop.client().lease(time));
    LockClient other = shop.open("other", shop.client().lease(time));
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    List<FaultMark> marks = marks(shop, "black-hole", 0, 1, 2);
    each(shop, NodeFaults::blackHole, 0, 1, 2);
    CompletableFuture<Boolean> holding =
        shop.fork(
            () -> {
              if (lease.isPresent()) {
                hold(lease.get(), Duration.ofMillis(5_500));
                lease.get().close();
              }
              return true;
            });
    pause(3_500);
    each(shop, NodeFaults::heal, 0, 1, 2);
    marks.forEach(FaultMark::close);
    use(other.lock(name), Duration.ofSeconds(2), Duration.ofMillis(500));
    join(holding);
  }

  /**
   * The holder has three servers, and another call gets the votes of the two others when it has
   * been refused. If these stay, there is no majority without the third of the first three.
   */
  private static void lateVotes(Workshop shop) throws InterruptedException {
    String name = shop.name();
    List<String> addresses =
        IntStream.range(0, shop.quorum().size()).mapToObj(i -> "node-" + i + ":1").toList();
    MemberTaps taps = new MemberTaps(addresses);
    for (int member = 0; member < 2; member++) {
      taps.on(member, new LateReplies(Duration.ofMillis(250), Operation.GRANT));
    }
    LockClient holder = shop.open("holder", shop.client().lease(LONG));
    LockClient slow =
        shop.open(
            "slow", shop.client().lease(LONG).commandTimeout(Duration.ofSeconds(2)).members(taps));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    List<FaultMark> marks = marks(shop, "black-hole", 0, 1);
    each(shop, NodeFaults::blackHole, 0, 1);
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    pause(600); // until its requests to them have timed out
    each(shop, NodeFaults::heal, 0, 1);
    marks.forEach(FaultMark::close);
    acquire(slow.lock(name), Duration.ZERO);
    pause(400);
    lease.ifPresent(Lease::close);
    marks = marks(shop, "kill", 4);
    each(shop, NodeFaults::kill, 4);
    use(next.lock(name), WAIT, MOMENT);
    each(shop, NodeFaults::restart, 4);
    marks.forEach(FaultMark::close);
  }

  private static void crowd(Workshop shop) throws InterruptedException {
    String name = shop.name();
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      LockClient client = shop.open("p" + i, shop.client().lease(LEASE));
      calls.add(
          shop.fork(
              () -> {
                for (int n = 0; n < 2; n++) {
                  use(client.lock(name), Duration.ofSeconds(6), Duration.ofMillis(20));
                }
                return true;
              }));
    }
    for (CompletableFuture<Boolean> call : calls) {
      join(call);
    }
  }
}
