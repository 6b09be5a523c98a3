package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_10;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * SAFE-10: servers that may have forgotten locks whose holders have not. Whoever asks after the
 * fault is a new client: whether the old ones reconnect is another check's business.
 */
final class SafeGuardChecks {
  private static final Duration RECOVERY = Duration.ofSeconds(3);
  private static final Duration A_LITTLE = Duration.ofMillis(100);
  private static final Duration LEASE = Duration.ofSeconds(4);

  /** Of raw requests. Nobody waits for it, and it outlives a restart that takes long. */
  private static final Duration TTL = Duration.ofSeconds(50);

  private static final String MAX_LEASE = "60s";

  /** A question to a node. */
  @FunctionalInterface
  interface Question<R> {
    R ask() throws InterruptedException;
  }

  @Verifies(value = SAFE_10, seconds = 120)
  void nobodyGetsALockThatTheServersForgotAndItsHolderDidNot(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    Lease held = heldThroughALoss(bench, name);
    LockClient attempting = bounded(bench).open();
    LockClient waiting = bounded(bench).open();
    Duration rest = held.remaining();
    CompletableFuture<LockUnavailableException> waiter =
        bench.fork(
            () ->
                Expect.thrown(
                    LockUnavailableException.class,
                    () -> waiting.lock(name).acquire(rest),
                    "acquire, while a lease from before the loss of state lives,"));

    boolean told = false;
    long end = System.nanoTime() + bench.within(RECOVERY).toNanos();
    do {
      told |= attempt(attempting, name);
      Waiting.pause(A_LITTLE);
    } while (held.isHeld() || (!told && System.nanoTime() - end < 0));
    Expect.that(told, "tryAcquire must tell that the servers are guarded, and did not");
    Waiting.result("an end of the call that waited", bench.within(RECOVERY), waiter);
  }

  /** A lease from before a loss of state; a longer one when the loss takes its time. */
  private static Lease heldThroughALoss(Bench bench, String name) throws InterruptedException {
    long start = System.nanoTime();
    Lease held = held(bench, name, LEASE);
    bench.loseStateWithoutVouching();
    if (held.isHeld()) {
      return held;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    bench.vouch();
    Duration longer = took.plus(took.dividedBy(4)).plus(LEASE);
    held = held(bench, name, longer.compareTo(TTL) < 0 ? longer : TTL);
    bench.loseStateWithoutVouching();
    return held;
  }

  private static Lease held(Bench bench, String name, Duration time) throws InterruptedException {
    return bounded(bench).lease(time).withoutRenewal().open().lock(name).acquire(RECOVERY);
  }

  /** A server may still be coming back; that is no reason to say anything but unavailable. */
  private static boolean attempt(LockClient client, String name) {
    return Expect.thrown(
            LockUnavailableException.class,
            client.lock(name)::tryAcquire,
            "tryAcquire, while a lease from before the fault may live,")
        .answers()
        .stream()
        .anyMatch(answer -> answer.kind() == NodeAnswer.Kind.GUARDED);
  }

  @Verifies(value = SAFE_10, seconds = 120)
  void serversThatLostTheirStateGrantNothingUntilTheyAreVouchedFor(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String owner = bench.owner();
    long since = System.nanoTime();
    Granted granted = bench.newNode(bounded(bench)).granted(name, owner, TTL);
    bench.loseStateWithoutVouching();

    SyncNode node = bench.newNode(bounded(bench));
    expectGuarded(bench, since, () -> node.grant(name, bench.owner(), TTL), "a stranger's grant");
    expectGuarded(bench, since, () -> node.grant(name, owner, TTL), "the old owner's grant");
    expectGuarded(bench, since, () -> node.grant(bench.name(), owner, TTL), "another lock's grant");
    if (node.has(Capability.FENCING)) {
      expectGuarded(bench, since, () -> node.raise(name, owner, granted.token() + 1), "a raise");
    }
    expect(NotHeld.class, bench, () -> node.extend(name, owner, TTL), "extending what was lost");
    expect(NotHeld.class, bench, () -> node.release(name, owner), "releasing what was lost");
    if (node.has(Capability.TRANSFER)) {
      expect(
          NotHeld.class,
          bench,
          () -> node.transfer(name, owner, bench.owner(), TTL),
          "handing over what was lost");
    }
    bench.vouch();
    expectGrants(bench, node);
  }

  @Verifies(value = SAFE_10, seconds = 120)
  void serversThatWereRestartedKeepWhatIsHeldAndGrantNothingUntilTheyAreVouchedFor(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String owner = bench.owner();
    String handed = bench.name();
    SyncNode before = bench.newNode(bounded(bench));
    long since = System.nanoTime();
    Granted granted = before.granted(name, owner, TTL);
    before.granted(handed, owner, TTL);
    bench.restartWithoutVouching();

    SyncNode node = bench.newNode(bounded(bench));
    expectGuarded(bench, since, () -> node.grant(bench.name(), owner, TTL), "another lock's grant");
    Waiting.until(
        "tryAcquire tells that the servers are guarded",
        bench.within(RECOVERY),
        () -> attempt(bench.open(), bench.name()));
    Object stranger = settled(bench, () -> node.grant(name, bench.owner(), TTL));
    Expect.that(
        stranger instanceof Guarded || stranger instanceof Busy,
        "the reply to a stranger's grant must be Guarded or Busy, and is " + stranger);
    if (node.has(Capability.FENCING)) {
      expectGuarded(bench, since, () -> node.raise(name, owner, granted.token() + 1), "a raise");
    }
    expect(Extended.class, bench, () -> node.extend(name, owner, TTL), "the holder's extension");
    if (node.has(Capability.TRANSFER)) {
      expectGuarded(
          bench, since, () -> node.transfer(handed, owner, bench.owner(), TTL), "a hand-over");
      Expect.that(!node.isHeld(handed), "a hand-over that is answered Guarded releases the lock");
    }
    expect(Released.class, bench, () -> node.release(name, owner), "the holder's release");
    bench.vouch();
    expectGrants(bench, node);
  }

  /** A client that promises no lease longer than a minute: so long must a guard wait at least. */
  private static Opening bounded(Bench bench) {
    return bench.client().option("maxLease", MAX_LEASE).lease(LEASE);
  }

  /**
   * Guarded, and for no less than the raw lease that was granted last may live.
   *
   * @param sinceNanos a moment before that grant
   */
  private static <R> void expectGuarded(
      Bench bench, long sinceNanos, Question<R> question, String what) throws InterruptedException {
    Guarded guarded = expect(Guarded.class, bench, question, what);
    long least = TTL.minusNanos(System.nanoTime() - sinceNanos).toMillis();
    Expect.that(
        guarded.remainingMillis() > Math.max(0, least - 1),
        what
            + " must be refused while an earlier lease may live, for "
            + least
            + " ms and more, and is for "
            + guarded.remainingMillis());
  }

  private static void expectGrants(Bench bench, SyncNode node) throws InterruptedException {
    String owner = bench.owner();
    String name = bench.name();
    expect(Granted.class, bench, () -> node.grant(name, owner, TTL), "a grant when vouched for");
    expect(Released.class, bench, () -> node.release(name, owner), "its release");
  }

  private static <R, T> T expect(Class<T> type, Bench bench, Question<R> question, String what)
      throws InterruptedException {
    R reply = settled(bench, question);
    Expect.that(
        type.isInstance(reply),
        "the reply to "
            + what
            + " must be "
            + type.getSimpleName()
            + ", and is "
            + SyncNode.shown(reply));
    return type.cast(reply);
  }

  /** The answer of servers that have come back: a failure that may pass is asked about again. */
  static <R> R settled(Bench bench, Question<R> question) throws InterruptedException {
    long end = System.nanoTime() + bench.within(RECOVERY).toNanos();
    R reply = question.ask();
    while (reply instanceof Failed failed
        && failed.kind().isTransient()
        && System.nanoTime() - end < 0) {
      Waiting.pause(A_LITTLE);
      reply = question.ask();
    }
    return reply;
  }
}
