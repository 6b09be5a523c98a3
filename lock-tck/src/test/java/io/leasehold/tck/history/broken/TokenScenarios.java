package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.pause;
import static io.leasehold.tck.history.broken.Workshop.use;

import io.leasehold.LockClient;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Replays;
import io.leasehold.tck.wire.ShiftedServer;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Clients and servers that disagree about the time, and so about tokens. */
final class TokenScenarios {
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration MOMENT = Duration.ofMillis(2);
  private static final long SECOND = 1_000_000;

  /** Clients that propose anything, for a while. */
  static final Scenario PROPOSALS =
      Scenario.on(On.TOY, "proposals", LEASE, TokenScenarios::proposals);

  /** The same on a quorum. */
  static final Scenario PROPOSALS_ON_A_QUORUM =
      Scenario.on(On.QUORUM, "proposals on a quorum", LEASE, TokenScenarios::proposals);

  /** A lock that nobody uses for longer than its fence is kept. */
  static final Scenario LONG_PAUSE =
      Scenario.on(On.TOY, "long pause", LEASE, TokenScenarios::longPause);

  /** Several locks at once, of which one is ahead. */
  static final Scenario SETS = Scenario.on(On.TOY, "sets", LEASE, TokenScenarios::sets);

  /**
   * A server whose clock is half a minute ahead, of clients that are so patient that it takes their
   * requests; then it dies.
   */
  static final Scenario FAST_SERVER =
      Scenario.on(On.QUORUM, "fast server", LEASE, TokenScenarios::fastServer);

  /** Takes the locks of a set by requests for each of them, which others can see. */
  static final Tap ONE_BY_ONE =
      node ->
          new ForwardingNode(node) {
            @Override
            public <C> Optional<C> offer(Class<C> kind) {
              return kind == SeveralLocks.class
                  ? Optional.of(kind.cast(OrderedLocks.of(this)))
                  : super.offer(kind);
            }
          };

  private TokenScenarios() {}

  private static void proposals(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Map<String, Skewed> skews = new LinkedHashMap<>(); // nobody is behind before somebody was there
    skews.put("right", (lock, right) -> right);
    skews.put("years-ahead", (lock, right) -> right + 50_000_000 * SECOND);
    skews.put("far-behind", (lock, right) -> 1);
    skews.put("the-last-one", (lock, right) -> Skewed.LAST.getOrDefault(lock, right));
    skews.put("nothing", (lock, right) -> 0);
    skews.put("below-zero", (lock, right) -> -right);
    skews.put("the-largest", (lock, right) -> (1L << 53) - 1);
    List<LockClient> clients = new ArrayList<>();
    skews.forEach(
        (process, skew) ->
            clients.add(shop.open(process, shop.client().lease(LEASE).tap(skew.tap()))));
    clients.add(shop.open("again", shop.client().lease(LEASE).tap(new Replays(Operation.GRANT))));
    long end = System.nanoTime() + Scenario.BOUND.plusSeconds(2).toNanos();
    while (System.nanoTime() - end < 0) {
      for (LockClient client : clients) {
        use(client.lock(name), Duration.ofMillis(200), MOMENT);
        pause(10);
      }
    }
  }

  private static void longPause(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient ahead = shop.open("ahead", shop.client().tap(ahead()));
    LockClient behind = shop.open("behind", shop.client().tap(((Skewed) (n, right) -> 1).tap()));
    use(ahead.lock(name), WAIT, MOMENT);
    shop.subject().timeMachine().get().accept(Duration.ofMinutes(11));
    use(behind.lock(name), WAIT, MOMENT);
  }

  /** As far ahead as a client may be. */
  private static Tap ahead() {
    Skewed skew = (name, right) -> right + 4 * SECOND;
    return skew.tap();
  }

  /** Moves the fence of a lock ahead. */
  static void lift(Workshop shop, String name) throws InterruptedException {
    use(shop.open("ahead", shop.client().tap(ahead())).lock(name), WAIT, MOMENT);
  }

  private static void sets(Workshop shop) throws InterruptedException {
    String first = shop.name() + "-a";
    String second = shop.name() + "-b";
    lift(shop, second);
    LockClient set = shop.open("set", shop.client().lease(LEASE).tap(ONE_BY_ONE));
    LockClient next = shop.open("next", shop.client().lease(LEASE));
    use(set.all(first, second), WAIT, MOMENT);
    use(next.lock(first), WAIT, MOMENT);
    use(next.lock(second), WAIT, MOMENT);
  }

  private static void fastServer(Workshop shop) throws InterruptedException {
    String name = shop.name();
    ShiftedServer fast = new ShiftedServer(Duration.ofSeconds(30));
    List<LockClient> clients = new ArrayList<>();
    List<String> addresses =
        IntStream.range(0, shop.quorum().size()).mapToObj(i -> "node-" + i + ":1").toList();
    for (int i = 0; i < 2; i++) {
      MemberTaps taps = new MemberTaps(addresses).on(0, fast);
      clients.add(
          shop.open(
              "p" + i,
              shop.client().lease(LEASE).commandTimeout(Duration.ofMinutes(1)).members(taps)));
    }
    use(clients.get(0).lock(name), WAIT, MOMENT);
    shop.during(
        "kill",
        "server-0",
        () -> {
          shop.quorum().node(0).kill();
          use(clients.get(1).lock(name), WAIT, MOMENT);
          shop.quorum().node(0).restart();
        });
  }
}
