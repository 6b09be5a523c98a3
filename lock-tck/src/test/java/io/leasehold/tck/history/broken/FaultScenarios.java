package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.acquire;
import static io.leasehold.tck.history.broken.Workshop.hold;
import static io.leasehold.tck.history.broken.Workshop.join;
import static io.leasehold.tck.history.broken.Workshop.pause;
import static io.leasehold.tck.history.broken.Workshop.use;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.tck.Faults;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Servers that fail and come back, with a guard and without. */
final class FaultScenarios {
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration MOMENT = Duration.ofMillis(5);

  /** Scripts are forgotten. */
  static final Scenario SCRIPTS = recovery("scripts", f -> f.scriptLoss().get().run());

  /** Connections are cut. */
  static final Scenario CUT = recovery("cut", Faults::cut);

  /** Servers are killed and started again. */
  static final Scenario RESTART =
      recovery(
          "restart",
          faults -> {
            faults.kill();
            faults.restart();
          });

  /** Servers are killed and started again while a client holds a lock. */
  static final Scenario RESTART_UNDER_A_LOCK =
      Scenario.on(On.TOY, "restart under a lock", LEASE, FaultScenarios::underALock);

  /** Servers do not answer for a while. */
  static final Scenario PAUSE =
      recovery(
          "pause",
          faults -> {
            faults.pause();
            try {
              pause(1_500);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            faults.resume();
          });

  /** Servers are dead, and somebody asks. */
  static final Scenario DEATH = Scenario.on(On.TOY, "death", LEASE, FaultScenarios::death);

  /** Servers forget everything, and somebody holds a lock. */
  static final Scenario AMNESIA =
      Scenario.on(On.GUARDED, "amnesia", Workshop.MAX_LEASE, shop -> quarantine(shop, true));

  /** Servers are started again with their data. */
  static final Scenario NEW_LIFE =
      Scenario.on(On.GUARDED, "new life", Workshop.MAX_LEASE, shop -> quarantine(shop, false));

  /** Servers are started again while locks of a set are being acquired. */
  static final Scenario NEW_LIFE_IN_A_SET =
      Scenario.on(On.GUARDED, "new life in a set", Workshop.MAX_LEASE, FaultScenarios::inASet);

  /** Servers are started again while a lock is handed over. */
  static final Scenario NEW_LIFE_IN_A_HAND_OVER =
      Scenario.on(
          On.GUARDED, "new life in a hand-over", Workshop.MAX_LEASE, FaultScenarios::inAHandOver);

  private FaultScenarios() {}

  private static Scenario recovery(String name, Consumer<Faults> fault) {
    return Scenario.on(On.TOY, name, LEASE, shop -> recovery(shop, name, fault));
  }

  /** A client that was there before a fault goes on to use a lock after it. */
  private static void recovery(Workshop shop, String kind, Consumer<Faults> fault)
      throws InterruptedException {
    String name = shop.name();
    LockClient client =
        shop.open("p", shop.client().lease(LEASE).commandTimeout(Duration.ofMillis(300)));
    use(client.lock(name), LEASE, MOMENT);
    CompletableFuture<Boolean> during =
        shop.fork(
            () -> {
              for (int i = 0; i < 20; i++) {
                use(client.lock(name), Duration.ZERO, MOMENT);
                pause(50);
              }
              return true;
            });
    pause(200);
    shop.during(
        kind,
        "server",
        () -> {
          fault.accept(shop.faults());
        });
    join(during);
    long end = System.nanoTime() + Scenario.BOUND.plusSeconds(2).toNanos();
    while (System.nanoTime() - end < 0) {
      use(client.lock(name), Duration.ZERO, MOMENT);
      pause(300);
    }
  }

  private static void underALock(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(LEASE));
    LockClient next = shop.open("next", shop.client().lease(LEASE));
    Optional<Lease> lease = acquire(holder.lock(name), LEASE);
    restart(shop);
    for (int i = 0; i < 10; i++) {
      use(next.lock(name), Duration.ZERO, MOMENT);
      pause(20);
    }
    lease.ifPresent(Lease::close);
  }

  private static void death(Workshop shop) throws InterruptedException {
    LockClient client = shop.open("p", shop.client().lease(LEASE));
    use(client.lock(shop.name()), LEASE, MOMENT);
    shop.during(
        "kill",
        "server",
        () -> {
          shop.faults().kill();
          use(client.lock(shop.name()), Duration.ZERO, MOMENT);
          use(client.lock(shop.name()), Duration.ofMillis(300), MOMENT);
          shop.faults().restart();
        });
  }

  private static void quarantine(Workshop shop, boolean empty) throws InterruptedException {
    shop.vouch();
    String name = shop.name();
    LockClient holder = shop.open("holder", shop.client().lease(Workshop.MAX_LEASE));
    LockClient next = shop.open("next", shop.client().lease(Workshop.MAX_LEASE));
    Optional<Lease> lease = acquire(holder.lock(name), LEASE);
    shop.during(
        empty ? "lose-state" : "restart",
        "server",
        () -> {
          if (empty) {
            shop.faults().loseState();
          } else {
            shop.faults().kill();
            shop.faults().restart();
          }
        });
    // The holder's lease may live for its whole time, and its client asks for another lock.
    CompletableFuture<Boolean> holding =
        shop.fork(
            () -> {
              lease.ifPresent(FaultScenarios::holdLong);
              return true;
            });
    long end = System.nanoTime() + Workshop.MAX_LEASE.plusSeconds(2).toNanos();
    while (System.nanoTime() - end < 0) {
      use(next.lock(name), Duration.ZERO, MOMENT);
      use(next.lock(shop.name()), Duration.ZERO, MOMENT);
      use(holder.lock(shop.name()), Duration.ZERO, MOMENT);
      pause(250);
    }
    join(holding);
  }

  private static void holdLong(Lease lease) {
    try {
      hold(lease, Workshop.MAX_LEASE.plusSeconds(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lease.close();
  }

  private static void inASet(Workshop shop) throws InterruptedException {
    shop.vouch();
    String first = shop.name() + "-a";
    String second = shop.name() + "-b";
    TokenScenarios.lift(shop, second);
    Wiretap wire = new Wiretap();
    Duration late = Scenario.BOUND.plusSeconds(2);
    LockClient client =
        shop.open(
            "p",
            shop.client()
                .lease(Workshop.MAX_LEASE)
                .commandTimeout(Duration.ofSeconds(9))
                .tap(wire)
                .tap(new LateRequests(late, Operation.RAISE))
                .tap(TokenScenarios.ONE_BY_ONE));
    CompletableFuture<Boolean> both =
        shop.using(client.all(first, second), Duration.ofSeconds(7), Duration.ofMillis(200));
    for (int i = 0; i < 1_000 && wire.count(Operation.GRANT) < 2; i++) {
      pause(5);
    }
    pause(100);
    restart(shop);
    join(both);
  }

  private static void restart(Workshop shop) throws InterruptedException {
    shop.during(
        "restart",
        "server",
        () -> {
          shop.faults().kill();
          shop.faults().restart();
        });
  }

  private static void inAHandOver(Workshop shop) throws InterruptedException {
    LockClient client = shop.open("p", shop.client().lease(LEASE));
    shop.vouch();
    String name = shop.name();
    Optional<Lease> first = acquire(client.lock(name), LEASE);
    restart(shop);
    CompletableFuture<Boolean> second =
        shop.using(client.lock(name), Duration.ofMillis(400), MOMENT);
    pause(30);
    first.ifPresent(Lease::close);
    join(second);
  }
}
