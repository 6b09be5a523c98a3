package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.API_6;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;

/** API-6: one play, and the same transcript of it from every provider. */
final class ApiTranscriptChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final String IMSE = "IllegalMonitorStateException";

  /** A line of the play: what is done, what must come of it, what came. */
  private record Line(String act, String expected, String seen) {

    boolean differs() {
      return !expected.equals(seen);
    }

    @Override
    public String toString() {
      return act + " → " + seen + (differs() ? " instead of " + expected : "");
    }
  }

  private static final class Play {
    private final List<Line> lines = new ArrayList<>();

    Play act(String act, String expected, Callable<?> call) {
      lines.add(new Line(act, expected, shown(call)));
      return this;
    }

    void expectTranscript() {
      List<Line> wrong = lines.stream().filter(Line::differs).toList();
      Expect.that(wrong.isEmpty(), "the transcript differs: " + wrong);
    }
  }

  private static String shown(Callable<?> call) {
    try {
      Object result = call.call();
      if (result instanceof Optional<?> optional) {
        return optional.isPresent() ? "a lease" : "no lease";
      }
      return result instanceof Lease ? "a lease" : String.valueOf(result);
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String done(Runnable action) {
    action.run();
    return "done";
  }

  @Verifies(API_6)
  void aFixedPlayHasAFixedTranscript(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient ours = opening(bench).option("prefix", "tck-play:").open();
    LockClient theirs = opening(bench).option("prefix", "tck-play:").open();
    LockClient apart = opening(bench).open();
    DistributedLock lock = ours.lock(name);
    DistributedLock same = theirs.lock(name);
    Lease lease = lock.acquire(LONG);
    Play play = new Play();
    play.act("the lock's name is the given one", "true", () -> lock.name().equals(name))
        .act("the lease's name is the lock's", "true", () -> lease.lockName().equals(name))
        .act("is it held", "true", lease::isHeld)
        .act("does something remain", "true", () -> !lease.remaining().isZero())
        .act("ensureHeld", "done", () -> done(lease::ensureHeld))
        .act("another client tries", "no lease", same::tryAcquire)
        .act("it tries for a while", "no lease", () -> same.tryAcquire(SHORT))
        .act("it waits for a while", "LockTimeoutException", () -> same.acquire(SHORT))
        .act("without the prefix it is another lock", "a lease", apart.lock(name)::tryAcquire)
        .act("release", "RELEASED", lease::release)
        .act("release again", "RELEASED", lease::release)
        .act("close after release", "done", () -> done(lease::close))
        .act("is it held after release", "false", lease::isHeld)
        .act("does something remain after release", "false", () -> !lease.remaining().isZero())
        .act("ensureHeld after release", "IllegalStateException", () -> done(lease::ensureHeld));
    Lease next = same.acquire(LONG);
    Lock view = lock.asLock();
    play.act("a view of a busy lock", "false", view::tryLock)
        .act("unlock of a view that is not locked", IMSE, () -> done(view::unlock))
        .act("the other client releases", "RELEASED", next::release)
        .act("the view is locked", "true", view::tryLock)
        .act("the view is locked again", "true", view::tryLock)
        .act("the other client tries", "no lease", same::tryAcquire)
        .act("unlock", "done", () -> done(view::unlock))
        .act("unlock again", "done", () -> done(view::unlock))
        .act("unlock once too often", IMSE, () -> done(view::unlock))
        .act("conditions", "UnsupportedOperationException", view::newCondition);
    playLoss(bench, play, ours);
    Lease last = lock.acquire(LONG);
    ours.close();
    play.act("is it held after its client's close", "false", last::isHeld)
        .act("its release", "LOST", last::release)
        .act("the closed client tries", "LockClosedException", lock::tryAcquire)
        .act("a blank name", "LockConfigurationException", () -> theirs.lock(" "));
    play.expectTranscript();
  }

  /** A stall of this machine must not look like a server that does not answer. */
  private static Opening opening(Bench bench) {
    return bench.client().lease(LONG).commandTimeout(Duration.ofSeconds(5));
  }

  private static void playLoss(Bench bench, Play play, LockClient client)
      throws InterruptedException {
    LockOptions brief = LockOptions.defaults().withLeaseTime(SHORT).withoutRenewal();
    Lease lost = client.lock(bench.name(), brief).acquire(LONG);
    Waiting.until("a brief lease ends", bench.within(SHORT), () -> !lost.isHeld());
    play.act("release after loss", "LOST", lost::release)
        .act("close after loss", "done", () -> done(lost::close))
        .act("ensureHeld after loss", "LeaseLostException", () -> done(lost::ensureHeld));
  }
}
