package io.leasehold.tck.history.broken;

import static io.leasehold.tck.history.broken.Workshop.acquire;
import static io.leasehold.tck.history.broken.Workshop.hold;
import static io.leasehold.tck.history.broken.Workshop.join;
import static io.leasehold.tck.history.broken.Workshop.pause;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.tck.history.broken.Scenario.On;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Leases that come to their end, and who holds the lock then. */
final class LeaseScenarios {
  private static final Duration WAIT = Duration.ofSeconds(10);

  /** A grant that is answered late counts from when it was asked for. */
  static final Scenario LATE_REPLIES =
      Scenario.on(On.TOY, "late replies", Duration.ofSeconds(2), LeaseScenarios::lateReplies);

  /** A lease without renewal. */
  static final Scenario EXPIRY =
      Scenario.on(On.TOY, "expiry", Duration.ofSeconds(1), LeaseScenarios::expiry);

  /** The holder's machine sleeps past its lease. */
  static final Scenario SUSPENSION =
      Scenario.on(On.TOY, "suspension", Duration.ofMillis(1_500), LeaseScenarios::suspension);

  /** A holder that may not hold for longer. */
  static final Scenario MAX_HOLD =
      Scenario.on(On.TOY, "maximum hold", Duration.ofSeconds(2), LeaseScenarios::maxHold);

  /** Renewals are answered when the lease is over. */
  static final Scenario LATE_RENEWALS =
      Scenario.on(On.TOY, "late renewals", Duration.ofSeconds(1), LeaseScenarios::lateRenewals);

  /** Renewals arrive when the lease is over, and so is that of the next. */
  static final Scenario LOST_RENEWALS =
      Scenario.on(
          On.TOY,
          "renewals that arrive too late",
          Duration.ofSeconds(5),
          shop -> renewalsThatArriveTooLate(shop));

  /** The same on a quorum. */
  static final Scenario LOST_RENEWALS_ON_A_QUORUM =
      Scenario.on(
          On.QUORUM,
          "renewals that arrive too late at a quorum",
          Duration.ofSeconds(5),
          shop -> renewalsThatArriveTooLate(shop));

  private LeaseScenarios() {}

  private static void lateReplies(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Duration late = Duration.ofMillis(800);
    LockClient slow =
        shop.open(
            "slow",
            shop.client()
                .lease(Duration.ofSeconds(2))
                .withoutRenewal()
                .commandTimeout(Duration.ofSeconds(3))
                .tap(new LateReplies(late, Operation.GRANT)));
    LockClient next = shop.open("next", shop.client().lease(Duration.ofSeconds(2)));
    Optional<Lease> lease = acquire(slow.lock(name), WAIT);
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, Duration.ofSeconds(1));
    if (lease.isPresent()) {
      hold(lease.get(), Duration.ofSeconds(4));
      lease.get().close();
    }
    join(after);
  }

  private static void expiry(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient client =
        shop.open("p", shop.client().lease(Duration.ofMillis(900)).withoutRenewal());
    LockClient next = shop.open("next");
    Optional<Lease> lease = acquire(client.lock(name), WAIT);
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, Duration.ofMillis(200));
    if (lease.isPresent()) {
      hold(lease.get(), Duration.ofSeconds(2));
      pause(300); // until its loss has been told
      lease.get().close();
    }
    join(after);
  }

  private static void suspension(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Duration lease = Duration.ofMillis(1_500);
    SleepingClock clock = new SleepingClock();
    LockClient sleeper = shop.open("sleeper", shop.client().lease(lease).clock(clock));
    LockClient next = shop.open("next", shop.client().lease(lease));
    Optional<Lease> held = acquire(sleeper.lock(name), WAIT);
    if (held.isEmpty()) {
      return;
    }
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, Duration.ofSeconds(3));
    shop.during(
        "pause",
        sleeper,
        () -> {
          clock.sleep();
          pause(3_000);
          clock.wake();
        });
    hold(held.get(), Duration.ofSeconds(1));
    held.get().close();
    join(after);
  }

  private static void maxHold(Workshop shop) throws InterruptedException {
    String name = shop.name();
    LockClient client = shop.open("p");
    LockClient next = shop.open("next", shop.client().lease(Duration.ofSeconds(2)));
    LockOptions options =
        LockOptions.defaults()
            .withLeaseTime(Duration.ofSeconds(2))
            .withMaxHold(Duration.ofMillis(700));
    Optional<Lease> lease = acquire(client.lock(name, options), WAIT);
    CompletableFuture<Boolean> after = shop.using(next.lock(name), WAIT, Duration.ofSeconds(1));
    if (lease.isPresent()) {
      hold(lease.get(), Duration.ofMillis(2_500));
      lease.get().close();
    }
    join(after);
  }

  private static void lateRenewals(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Tap late = new LateReplies(Duration.ofSeconds(2), Operation.EXTEND);
    LockClient client = shop.open("p", shop.client().lease(Duration.ofSeconds(1)).tap(late));
    shop.during(
        "late-replies",
        client,
        () -> {
          Optional<Lease> lease = acquire(client.lock(name), WAIT);
          if (lease.isPresent()) {
            hold(lease.get(), Duration.ofSeconds(2));
            pause(1_800);
            hold(lease.get(), Duration.ofMillis(100));
            lease.get().close();
          }
        });
  }

  private static void renewalsThatArriveTooLate(Workshop shop) throws InterruptedException {
    String name = shop.name();
    Tap late = new LateRequests(Duration.ofSeconds(8), Operation.EXTEND);
    LockClient client = shop.open("p", shop.client().lease(Duration.ofSeconds(5)).tap(late));
    LockClient next = shop.open("next", shop.client().lease(Duration.ofSeconds(5)));
    shop.during(
        "late-requests",
        client,
        () -> {
          Optional<Lease> lease = acquire(client.lock(name), WAIT);
          if (lease.isPresent()) {
            hold(lease.get(), Duration.ofSeconds(6));
            lease.get().close();
          }
          pause(5_500); // the first renewals have arrived by then
        });
    Workshop.use(next.lock(name), WAIT, Duration.ofMillis(10));
  }
}
