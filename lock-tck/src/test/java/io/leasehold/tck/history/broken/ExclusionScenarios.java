package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.acquire;
import static io.leasehold.tck.history.broken.Workshop.hold;
import static io.leasehold.tck.history.broken.Workshop.join;
import static io.leasehold.tck.history.broken.Workshop.pause;
import static io.leasehold.tck.history.broken.Workshop.use;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Several clients and one lock. */
final class ExclusionScenarios {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Three clients of two threads each, for a second. */
  static final Scenario CONTENTION =
      Scenario.on(On.TOY, "contention", LEASE, shop -> contend(shop, opening -> opening, 2));

  /** The same on a quorum. */
  static final Scenario CONTENTION_ON_A_QUORUM =
      Scenario.on(
          On.QUORUM, "contention on a quorum", LEASE, shop -> contend(shop, opening -> opening, 2));

  /** The network carries releases and hand-overs out again, a while later. */
  static final Scenario COPIES =
      Scenario.on(
          On.TOY,
          "copies of requests",
          LEASE,
          shop ->
              contend(
                  shop,
                  opening ->
                      opening.tap(
                          new LateCopies(
                              Duration.ofMillis(25), Operation.RELEASE, Operation.TRANSFER)),
                  20));

  /** Machines whose wall clocks differ by hours. */
  static final Scenario WALL_CLOCKS =
      Scenario.on(On.TOY, "wall clocks", LEASE, ExclusionScenarios::wallClocks);

  /** A client that hears nothing asks for what another holds. */
  static final Scenario LOST_REPLIES =
      Scenario.on(On.TOY, "lost replies", LEASE, ExclusionScenarios::lostReplies);

  /** One client was given the address of a replica. */
  static final Scenario REPLICA =
      Scenario.on(
          On.TOY,
          "replica",
          LEASE,
          shop -> strangers(shop, shop.client().url(shop.subject().replicaUrl().get())));

  /** Clients with a guard were given the address of a server that may drop locks. */
  static final Scenario EVICTION =
      Scenario.on(On.TOY, "eviction", LEASE, ExclusionScenarios::eviction);

  /** An operator takes a lock away from a holder that lives. */
  static final Scenario FORCE =
      Scenario.on(On.TOY, "force", Duration.ofSeconds(1), ExclusionScenarios::force);

  /** An operator takes one of several locks away while they are being acquired. */
  static final Scenario FORCE_ON_A_SET =
      Scenario.on(On.TOY, "force on a set", Duration.ofSeconds(8), ExclusionScenarios::forceOnSet);

  private ExclusionScenarios() {}

  private static void contend(Workshop shop, UnaryOperator<Opening> special, int holdMillis)
      throws InterruptedException {
    String name = shop.name();
    List<CompletableFuture<Boolean>> work = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      LockClient client = shop.open("p" + i, special.apply(shop.client().lease(LEASE)));
      for (int thread = 0; thread < 2; thread++) {
        work.add(shop.fork(() -> again(shop, client.lock(name), holdMillis)));
      }
    }
    for (CompletableFuture<Boolean> each : work) {
      join(each);
    }
  }

  private static boolean again(Workshop shop, DistributedLock lock, int holdMillis)
      throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
    while (System.nanoTime() - end < 0) {
      use(lock, WAIT, Duration.ofMillis(shop.random.nextInt(holdMillis + 1)));
    }
    return true;
  }

  private static void wallClocks(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient right = shop.open("right", shop.client().lease(LEASE));
    List<LockClient> wrong = new ArrayList<>();
    for (Duration shift : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
      wrong.add(shop.open("wrong", shop.client().lease(LEASE).clock(new ShiftedClock(shift))));
    }
    CompletableFuture<Boolean> holder =
        shop.using(right.lock(name), WAIT, Duration.ofMillis(1_500));
    List<CompletableFuture<Boolean>> others = new ArrayList<>();
    for (LockClient client : wrong) {
      pause(200);
      others.add(shop.using(client.lock(name), WAIT, Duration.ofMillis(500)));
    }
    join(holder);
    for (CompletableFuture<Boolean> other : others) {
      join(other);
    }
  }

  private static void lostReplies(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LEASE));
    LockClient deaf =
        shop.open("deaf", shop.client().lease(LEASE).tap(new LostReplies(Operation.GRANT)));
    shop.during(
        "lose-replies",
        deaf,
        () -> {
          CompletableFuture<Boolean> held =
              shop.using(holder.lock(name), WAIT, Duration.ofSeconds(1));
          pause(200);
          use(deaf.lock(name), Duration.ofMillis(300), Duration.ofMillis(300));
          join(held);
        });
  }

  /** Two clients, of which one is opened at another address, if it can be. */
  private static void strangers(Workshop shop, Opening special) throws InterruptedException {
    String name = shop.name();
    LockClient one = shop.open("one", shop.client().lease(LEASE));
    LockClient other;
    try {
      other = shop.open("other", special.lease(LEASE));
    } catch (LockUnavailableException | LockConfigurationException e) {
      return; // refused, as it must be
    }
    CompletableFuture<Boolean> first = shop.using(one.lock(name), WAIT, Duration.ofSeconds(1));
    pause(200);
    use(other.lock(name), Duration.ofMillis(200), Duration.ofMillis(300));
    join(first);
  }

  private static void eviction(Workshop shop) throws InterruptedException {
    String name = shop.name();
    List<LockClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        Opening opening =
            shop.client()
                .url(shop.subject().evictingUrl().get())
                .option("guard", "on")
                .option("maxLease", Workshop.MAX_LEASE.toSeconds() + "s")
                .lease(LEASE);
        clients.add(shop.open("p" + i, opening));
      }
    } catch (LockUnavailableException e) {
      return; // refused, as it must be
    }
    // Their server is new to them, and in quarantine first.
    Duration patience = Workshop.MAX_LEASE.plusSeconds(5);
    CompletableFuture<Boolean> first =
        shop.using(clients.get(0).lock(name), patience, Duration.ofSeconds(2));
    use(clients.get(1).lock(name), patience, Duration.ofSeconds(2));
    join(first);
  }

  private static void force(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Duration lease = Duration.ofSeconds(1);
    LockClient holder = shop.open("holder", shop.client().lease(lease));
    LockClient next = shop.open("next", shop.client().lease(lease));
    LockClient operator = shop.open("operator");
    Optional<Lease> held = acquire(holder.lock(name), WAIT);
    if (held.isEmpty()) {
      return;
    }
    operator.forceRelease(name, "a test");
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, Duration.ofSeconds(3));
    hold(held.get(), Duration.ofSeconds(3));
    join(after);
    held.get().close();
  }

  private static void forceOnSet(Workshop shop) throws InterruptedException {
    String first = shop.name() + "-a";
    String second = shop.name() + "-b";
    Duration lease = Duration.ofSeconds(8);
    TokenScenarios.lift(shop, second);
    LockClient set =
        shop.open(
            "set",
            shop.client()
                .lease(lease)
                .commandTimeout(Duration.ofSeconds(6))
                .tap(new LateRequests(Duration.ofMillis(1_500), Operation.RAISE))
                .tap(TokenScenarios.ONE_BY_ONE));
    LockClient next = shop.open("next", shop.client().lease(lease));
    LockClient operator = shop.open("operator");
    CompletableFuture<Boolean> both =
        shop.using(set.all(first, second), Duration.ofSeconds(4), Duration.ofSeconds(2));
    for (int i = 0; i < 1_000 && !shop.bench.node().isHeld(first); i++) {
      pause(5);
    }
    operator.forceRelease(first, "a test");
    use(next.lock(first), WAIT, Duration.ofSeconds(4));
    join(both);
  }
}
