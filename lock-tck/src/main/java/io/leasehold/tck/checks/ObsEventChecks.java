package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.OBS_1;
import static io.leasehold.tck.Requirement.OBS_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockTimeoutException;
import io.leasehold.LossReason;
import io.leasehold.spi.Capability;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.Queueing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.checks.EventLog.Event;
import io.leasehold.tck.checks.EventLog.Kind;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** OBS-1 and OBS-2: what a listener hears. */
final class ObsEventChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration RENEWED = Duration.ofMillis(2_400);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @Verifies(OBS_1)
  void anExpiredLeaseIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    acquire(bench.client().lease(SHORT).withoutRenewal(), log, bench.name());
    expectOneLoss(bench, log, LossReason.EXPIRED);
  }

  @Verifies(OBS_1)
  void aLeaseThatCouldNotBeRenewedIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    FailingRequests failing = new FailingRequests(FailureKind.UNREACHABLE, Operation.EXTEND);
    acquire(bench.client().lease(SHORT).tap(failing), log, bench.name());
    expectOneLoss(bench, log, LossReason.RENEWAL_FAILED);
  }

  @Verifies(OBS_1)
  void aLeaseThatWasTakenIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    Wiretap wire = new Wiretap();
    String name = bench.name();
    acquire(bench.client().lease(RENEWED).tap(wire), log, name);
    bench.node().release(name, wire.grants().get(0).owner());
    bench.node().granted(name, bench.owner(), LONG);
    expectOneLoss(bench, log, LossReason.TAKEN);
  }

  @Verifies(OBS_1)
  void aLossThatIsFoundAtReleaseIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    Wiretap wire = new Wiretap();
    String name = bench.name();
    Lease lease = acquire(bench.client().lease(LONG).tap(wire), log, name);
    bench.node().release(name, wire.grants().get(0).owner());
    lease.close();
    expectOneLoss(bench, log, LossReason.TAKEN);
  }

  @Verifies(OBS_1)
  void aLeaseThatWasHeldTooLongIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    acquire(bench.client().lease(LONG).option("maxHold", "300ms"), log, bench.name());
    expectOneLoss(bench, log, LossReason.MAX_HOLD);
  }

  @Verifies(OBS_1)
  void aLeaseOfAClosedClientIsOneEvent(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    LockClient client = bench.client().lease(LONG).listener(log).open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    client.close();
    lease.close();
    expectOneLoss(bench, log, LossReason.CLIENT_CLOSED);
  }

  private static Lease acquire(Opening opening, EventLog log, String name)
      throws InterruptedException {
    return opening.listener(log).open().lock(name).acquire(LONG);
  }

  private static void expectOneLoss(Bench bench, EventLog log, LossReason reason)
      throws InterruptedException {
    Event lost = log.first(Kind.LOST, bench.within(RENEWED));
    Expect.equal(reason, lost.detail(), "the cause that a listener hears");
    Waiting.pause(MOMENT);
    Expect.equal(1, log.of(Kind.LOST).size(), "the number of events for one loss");
    Expect.equal(0, log.of(Kind.RELEASED).size(), "the number of releases of a lost lease");
  }

  @Verifies(OBS_2)
  void aCallIsHeardFromItsStartToItsRelease(Bench bench) throws InterruptedException {
    String name = bench.name();
    String holder = bench.owner();
    bench.node().granted(name, holder, LONG);
    EventLog log = new EventLog();
    LockClient client = bench.client().lease(RENEWED).listener(log).open();
    CompletableFuture<Event> holding =
        bench.fork(
            () -> {
              Event waits = log.first(Kind.WAITING, bench.tolerance());
              bench.node().release(name, holder);
              return waits;
            });
    Lease lease = client.lock(name).acquire(WAIT);
    Waiting.result("a listener hears that a call waits", bench.tolerance(), holding);
    long held = System.nanoTime();
    log.first(Kind.RENEWED, bench.within(RENEWED));
    held = System.nanoTime() - held;
    lease.release();
    Event released = log.first(Kind.RELEASED, bench.tolerance());

    AcquireCall start =
        Expect.type(AcquireCall.class, log.of(Kind.STARTED).get(0).detail(), "a start");
    Expect.equal(name, start.lockName(), "the name of the lock in a start");
    Expect.equal(WAIT.toMillis(), start.waitMillis(), "the time to wait in a start");
    Expect.equal(AcquireCall.Mode.BLOCKING, start.mode(), "how a blocking call waits");
    Event refused = log.first(Kind.ATTEMPTED, bench.tolerance());
    Expect.equal(AttemptOutcome.BUSY, refused.detail(), "the outcome of an attempt");
    Expect.equal(1, log.of(Kind.ACQUIRED).size(), "the number of grants heard");
    long heard = released.nanos() - log.of(Kind.ACQUIRED).get(0).nanos();
    Expect.that(heard >= held, "a hold of " + held + " ns was heard as " + heard + " ns");
    Expect.equal(0, log.of(Kind.FAILED).size(), "the failures of a call that had the lock");
    Expect.equal(0, log.of(Kind.LOST).size(), "the losses of a lease that was released");
  }

  /** A node that wakes nobody has waiters that poll, and of them nothing is to be heard. */
  @Verifies(OBS_2)
  void aWaiterThatWasWokenIsHeard(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().listener(log).tap(wire).open();
    String name = bench.name();
    String holder = bench.owner();
    bench.node().granted(name, holder, LONG);
    CompletableFuture<Lease> call = client.lock(name).acquireAsync(WAIT);
    boolean wakes = bench.has(Capability.WAKE_UPS);
    Waiting.until(
        "a waiter is entered, and knows it",
        bench.tolerance(),
        () ->
            !wakes
                || (wire.grants().stream().anyMatch(r -> r.queueing() != Queueing.NONE)
                    && wire.grantReplies().size() == wire.grants().size()));
    Waiting.pause(MOMENT.multipliedBy(3)); // until it waits: who asks just now needs no waking
    bench.node().release(name, holder);
    if (wakes) {
      log.first(Kind.WOKEN, bench.tolerance());
    }
    Waiting.result("the lease", bench.within(WAIT), call);
  }

  @Verifies(OBS_2)
  void aCallThatFailsIsHeard(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    EventLog log = new EventLog();
    LockClient client = bench.client().listener(log).open();
    CompletableFuture<Lease> call = client.lock(name).acquireAsync(MOMENT);
    Event failed = log.first(Kind.FAILED, bench.within(MOMENT));
    Expect.type(
        LockTimeoutException.class, failed.detail(), "the outcome of a call that timed out");
    AcquireCall start =
        Expect.type(AcquireCall.class, log.of(Kind.STARTED).get(0).detail(), "a start");
    Expect.equal(AcquireCall.Mode.ASYNC, start.mode(), "how an asynchronous call waits");
    Expect.equal(0, log.of(Kind.ACQUIRED).size(), "the grants of a call that failed");
    Waiting.until("the call ends", bench.tolerance(), call::isDone);
  }

  @Verifies(OBS_2)
  void aGuardedServerIsHeard(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    AtomicBoolean once = new AtomicBoolean();
    LockClient client =
        bench
            .client()
            .listener(log)
            .tap(
                node ->
                    new ForwardingNode(node) {
                      @Override
                      public CompletionStage<GrantReply> grant(GrantRequest request) {
                        return once.compareAndSet(false, true)
                            ? CompletableFuture.completedFuture(
                                new Guarded(100, System.currentTimeMillis() * 1_000))
                            : super.grant(request);
                      }
                    })
            .open();
    client.lock(bench.name()).acquire(LONG);
    Event attempt = log.first(Kind.ATTEMPTED, bench.tolerance());
    Expect.equal(AttemptOutcome.GUARDED, attempt.detail(), "the outcome with a guarded server");
    Expect.equal(1, attempt.answers().size(), "the number of answers of one guarded server");
    Expect.equal(NodeAnswer.Kind.GUARDED, attempt.answers().get(0).kind(), "its answer");
    log.first(Kind.ACQUIRED, bench.tolerance());
  }

  @Verifies(OBS_2)
  void aSecondRoundIsHeard(Bench bench) throws InterruptedException {
    EventLog log = new EventLog();
    List<NodeAnswer> answers =
        List.of(
            new NodeAnswer("one:1", NodeAnswer.Kind.GRANTED, ""),
            new NodeAnswer("two:2", NodeAnswer.Kind.NOT_AWAITED, ""));
    LockClient client =
        bench
            .client()
            .listener(log)
            .tap(
                node ->
                    new ForwardingNode(node) {
                      @Override
                      public CompletionStage<GrantReply> grant(GrantRequest request) {
                        return super.grant(request)
                            .thenApply(
                                reply ->
                                    reply instanceof Granted granted
                                        ? new Granted(
                                            granted.token(),
                                            granted.serverMicros(),
                                            2,
                                            answers,
                                            granted.othersWaiting())
                                        : reply);
                      }
                    })
            .open();
    client.lock(bench.name()).acquire(LONG);
    Event acquired = log.first(Kind.ACQUIRED, bench.tolerance());
    Expect.equal(2, acquired.detail(), "the number of rounds heard");
    Expect.equal(answers, acquired.answers(), "the answers heard with a grant");
  }
}
