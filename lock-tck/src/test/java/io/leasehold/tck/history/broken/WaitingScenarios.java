package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.acquire;
import static io.leasehold.tck.history.broken.Workshop.hold;
import static io.leasehold.tck.history.broken.Workshop.join;
import static io.leasehold.tck.history.broken.Workshop.pause;
import static io.leasehold.tck.history.broken.Workshop.use;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Inspection;
import io.leasehold.tck.history.FaultMark;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Silence;
import io.leasehold.tck.wire.Tap;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Somebody waits for what others have left, lost or kept. */
final class WaitingScenarios {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** A holder that crashes. */
  static final Scenario CRASH = Scenario.on(On.TOY, "crash", SHORT, shop -> crash(shop, 0));

  /** A holder that crashes when it has renewed its lease. */
  static final Scenario LATER_CRASH =
      Scenario.on(On.TOY, "later crash", SHORT, shop -> crash(shop, 1_200));

  /** A client that crashes while it acquires, when its connection is cut. */
  static final Scenario CRASH_IN_BETWEEN =
      Scenario.on(On.TOY, "crash in between", SHORT, WaitingScenarios::crashInBetween);

  /** A request that arrives when its client has crashed. */
  static final Scenario LATE_GRANTS =
      Scenario.on(On.TOY, "late grants", LONG, WaitingScenarios::lateGrants);

  /** A call that fails because nothing is answered. */
  static final Scenario LEFTOVERS =
      Scenario.on(On.TOY, "left-overs", LONG, WaitingScenarios::leftovers);

  /**
   * A hand-over whose answer is lost. Nobody dies here: what was not confirmed is repeated at once,
   * so that nobody has to wait for the end of a lease.
   */
  static final Scenario HAND_OVERS =
      Scenario.on(
          On.TOY,
          "hand-overs",
          Duration.ofSeconds(1),
          shop -> handOvers(shop, new LostReplies(Operation.TRANSFER)));

  /** A hand-over that does not arrive. */
  static final Scenario FAILED_HAND_OVERS =
      Scenario.on(
          On.TOY,
          "failed hand-overs",
          Duration.ofSeconds(1),
          shop ->
              handOvers(
                  shop, new FailingRequests(FailureKind.CONNECTION_LOST, Operation.TRANSFER)));

  /** Renewals that are carried out, and not answered. */
  static final Scenario RENEWALS =
      Scenario.on(On.TOY, "renewals", Duration.ofSeconds(1), WaitingScenarios::renewals);

  /** A holder whose client is closed. */
  static final Scenario CLOSE = Scenario.on(On.TOY, "close", LONG, WaitingScenarios::close);

  /** A holder that releases long before its lease would have ended. */
  static final Scenario WAKE_UPS = Scenario.on(On.TOY, "wake-ups", LONG, WaitingScenarios::wakeUps);

  /** A client that waits, gives up and waits again, while its first watch has not ended yet. */
  static final Scenario WATCHES = Scenario.on(On.TOY, "watches", LONG, WaitingScenarios::watches);

  /** A waiter that hangs when it is woken. */
  static final Scenario DEAD_WAITER =
      Scenario.on(On.TOY, "dead waiter", SHORT, WaitingScenarios::deadWaiter);

  /** A client of many calls beside one of a single call. */
  static final Scenario CROWD = Scenario.on(On.TOY, "crowd", SHORT, WaitingScenarios::crowd);

  private static final Operation[] ALL = Operation.values();

  private WaitingScenarios() {}

  private static Silence silence() {
    Silence silence = new Silence(ALL[0], ALL);
    silence.off();
    return silence;
  }

  private static void crash(Workshop shop, int afterMillis) throws InterruptedException {
    String name = shop.name();
    Silence grave = silence();
    LockClient victim = shop.open("victim", shop.client().lease(SHORT).tap(grave));
    LockClient next = shop.open("next", shop.client().lease(SHORT));
    if (acquire(victim.lock(name), WAIT).isPresent()) {
      pause(afterMillis);
      shop.fault("kill", victim);
      grave.on();
    }
    use(next.lock(name), WAIT, MOMENT);
  }

  private static void crashInBetween(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Silence grave = silence();
    LockClient victim = shop.open("victim", shop.client().lease(SHORT).tap(grave));
    LockClient next = shop.open("next", shop.client().lease(SHORT));
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Boolean> nemesis = shop.fork(() -> cutsInBetween(shop, name, over));
    acquire(victim.lock(name), Duration.ZERO);
    shop.fault("kill", victim);
    grave.on();
    over.set(true);
    join(nemesis);
    use(next.lock(name), WAIT, MOMENT);
  }

  /** Cuts every connection as soon as there is a lock that does not end. */
  private static boolean cutsInBetween(Workshop shop, String name, AtomicBoolean over)
      throws InterruptedException {
    while (!over.get()) {
      Optional<Inspection.Holder> holder = shop.bench.node().inspect(name).holder();
      if (holder.isPresent() && holder.get().remainingMillis() == Inspection.Holder.NO_EXPIRY) {
        shop.during(
            "cut",
            "server",
            () -> {
              shop.faults().cut();
            });
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  private static void lateGrants(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient victim =
        shop.open(
            "victim",
            shop.client()
                .lease(LONG)
                .commandTimeout(Duration.ofMillis(300))
                .tap(new LateRequests(Duration.ofMillis(1_500), Operation.GRANT))
                .tap(new Silence(Operation.RELEASE)));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    shop.fault("kill", victim);
    acquire(victim.lock(name), Duration.ZERO);
    pause(1_600);
    use(next.lock(name), WAIT, MOMENT);
  }

  private static void leftovers(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient deaf =
        shop.open("deaf", shop.client().lease(LONG).tap(new LostReplies(Operation.GRANT)));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    shop.during(
        "lose-replies",
        deaf,
        () -> {
          acquire(deaf.lock(name), Duration.ZERO);
        });
    use(next.lock(name), WAIT, MOMENT);
  }

  private static void handOvers(Workshop shop, Tap trouble) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client =
        shop.open(
            "p",
            shop.client()
                .lease(LONG)
                .commandTimeout(Duration.ofMillis(400))
                .tap(trouble)
                .tap(wire));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    FaultMark mark = shop.fault("lose-replies", client);
    String name = shop.name();
    CompletableFuture<Boolean> second = CompletableFuture.completedFuture(true);
    for (int i = 0; i < 50 && wire.count(Operation.TRANSFER) == 0; i++) {
      join(second);
      name = shop.name();
      Optional<Lease> first = acquire(client.lock(name), WAIT);
      second = shop.using(client.lock(name), WAIT, MOMENT);
      pause(40);
      first.ifPresent(Lease::close);
    }
    mark.close();
    use(next.lock(name), WAIT, MOMENT);
    join(second);
  }

  private static void renewals(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient deaf =
        shop.open(
            "deaf",
            shop.client()
                .lease(Duration.ofSeconds(1))
                .tap(new Silence(Operation.RELEASE))
                .tap(new LostReplies(Operation.EXTEND)));
    LockClient next = shop.open("next", shop.client().lease(Duration.ofSeconds(1)));
    shop.during(
        "lose-replies",
        deaf,
        () -> {
          Optional<Lease> lease = acquire(deaf.lock(name), WAIT);
          if (lease.isPresent()) {
            hold(lease.get(), Duration.ofSeconds(3));
            pause(100);
          }
        });
    use(next.lock(name), WAIT, MOMENT);
  }

  private static void close(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LONG));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    acquire(holder.lock(name), WAIT);
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, MOMENT);
    pause(200);
    holder.close();
    join(after);
  }

  private static void wakeUps(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LONG));
    LockClient next = shop.open("next", shop.client().lease(LONG));
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, MOMENT);
    pause(700);
    lease.ifPresent(Lease::close);
    join(after);
  }

  private static void watches(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LONG));
    LockClient next =
        shop.open("next", shop.client().lease(LONG).tap(new LateEnds(Duration.ofMillis(300))));
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    acquire(next.lock(name), Duration.ofMillis(200));
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, MOMENT);
    pause(700);
    lease.ifPresent(Lease::close);
    join(after);
  }

  private static void deadWaiter(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Silence grave = new Silence(Operation.GRANT);
    grave.off();
    LockClient holder = shop.open("holder", shop.client().lease(SHORT));
    LockClient hanging = shop.open("hanging", shop.client().lease(SHORT).tap(grave));
    LockClient next = shop.open("next", shop.client().lease(SHORT));
    Optional<Lease> lease = acquire(holder.lock(name), WAIT);
    CompletableFuture<Boolean> hangs = shop.using(hanging.lock(name), WAIT, MOMENT);
    pause(500);
    shop.during(
        "pause",
        hanging,
        () -> {
          grave.on();
          CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, MOMENT);
          pause(500);
          lease.ifPresent(Lease::close);
          join(after);
          join(hangs);
        });
  }

  private static void crowd(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient many = shop.open("many", shop.client().lease(Duration.ofMillis(500)));
    LockClient one = shop.open("one", shop.client().lease(Duration.ofMillis(500)));
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(
          shop.fork(
              () -> {
                while (!over.get()) {
                  use(many.lock(name), WAIT, Duration.ofMillis(3));
                }
                return true;
              }));
    }
    pause(200);
    try {
      use(one.lock(name), Duration.ofSeconds(8), MOMENT);
    } catch (LockException e) {
      // in the history
    }
    over.set(true);
    for (CompletableFuture<Boolean> call : calls) {
      join(call);
    }
  }
}
