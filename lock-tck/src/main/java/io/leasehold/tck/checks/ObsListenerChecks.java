package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.OBS_4;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Extended;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** OBS-4: watching does not change what is watched. */
final class ObsListenerChecks {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration TIME = Duration.ofMillis(2_400);

  @Verifies(OBS_4)
  void aListenerThatThrowsHarmsNothing(Bench bench) throws InterruptedException {
    expectUnharmed(
        bench,
        call -> {
          throw new IllegalStateException("a listener that throws");
        });
  }

  @Verifies(OBS_4)
  void anObserverThatThrowsHarmsNothing(Bench bench) throws InterruptedException {
    expectUnharmed(
        bench,
        call ->
            new Disturbing(
                () -> {
                  throw new IllegalStateException("an observer that throws");
                }));
  }

  @Verifies(OBS_4)
  void anObserverThatBlocksHarmsNothing(Bench bench) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    try {
      expectUnharmed(bench, call -> new Disturbing(() -> block(over)));
    } finally {
      over.countDown();
    }
  }

  private static void block(CountDownLatch over) {
    try {
      over.await(WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void expectUnharmed(Bench bench, LockListener listener)
      throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().lease(TIME).tap(wire).listener(listener).open();
    Waiting.result(
        "a lock is acquired, renewed and released, whatever a listener does",
        bench.within(TIME.multipliedBy(2)),
        bench.fork(() -> use(bench, client, wire)));
    Waiting.result(
        "close ends, whatever a listener does",
        bench.within(Duration.ofSeconds(2)),
        bench.fork(
            () -> {
              client.close();
              return "";
            }));
  }

  private static String use(Bench bench, LockClient client, Wiretap wire)
      throws InterruptedException {
    Lease lease =
        Calmly.call("acquire with a bad listener", () -> client.lock(bench.name()).acquire(WAIT));
    Waiting.until(
        "a lease is renewed, whatever a listener does",
        bench.within(TIME),
        () -> wire.extendReplies().stream().anyMatch(Extended.class::isInstance));
    Expect.that(lease.isHeld(), "a lease must be held, whatever a listener does");
    Expect.equal(
        ReleaseResult.RELEASED,
        Calmly.call("release with a bad listener", lease::release),
        "the result of a release");
    return "";
  }

  @Verifies(OBS_4)
  void handlersOfALossThatThrowOrBlockHarmNoOthers(Bench bench) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    try {
      Duration brief = Duration.ofMillis(300);
      LockClient client = bench.client().lease(brief).withoutRenewal().open();
      Lease lease = client.lock(bench.name()).acquire(WAIT);
      Lease other = client.lock(bench.name()).acquire(WAIT);
      lease.onLost(loss -> block(over));
      lease.onLost(
          loss -> {
            throw new IllegalStateException("a handler that throws");
          });
      LossLog.of(lease).expect(LossReason.EXPIRED, bench.within(brief));
      LossLog.of(other).expect(LossReason.EXPIRED, bench.within(brief));
    } finally {
      over.countDown();
    }
  }

  /** Does the same bad thing whatever it hears. */
  private record Disturbing(Runnable badThing) implements LockObserver {

    @Override
    public void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
      badThing.run();
    }

    @Override
    public void waiting(Moment moment) {
      badThing.run();
    }

    @Override
    public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
      badThing.run();
    }

    @Override
    public void failed(Moment moment, Throwable outcome) {
      badThing.run();
    }

    @Override
    public void woken(Moment moment) {
      badThing.run();
    }

    @Override
    public void renewalFailed(Moment moment, List<NodeAnswer> answers) {
      badThing.run();
    }

    @Override
    public void renewed(Moment moment) {
      badThing.run();
    }

    @Override
    public void released(Moment moment) {
      badThing.run();
    }

    @Override
    public void lost(Moment moment, LossReason reason) {
      badThing.run();
    }
  }
}
