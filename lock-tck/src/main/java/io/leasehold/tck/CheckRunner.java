package io.leasehold.tck;

import io.leasehold.LockException;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Voucher;
import io.leasehold.tck.checks.Check;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs one check on a bench of its own, on a thread of its own, within its time. */
final class CheckRunner {
  private final Subject subject;
  private final Interference interference;
  private final Voucher voucher;
  private final long seed;

  CheckRunner(Subject subject, Interference interference, Voucher voucher, long seed) {
    this.subject = subject;
    this.interference = interference;
    this.voucher = voucher;
    this.seed = seed;
  }

  CheckResult run(Check check) throws InterruptedException {
    Bench bench =
        new Bench(subject, interference, voucher, seed ^ check.method().getName().hashCode());
    CompletableFuture<Optional<Finding>> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> outcome.complete(found(check, bench)), "tck " + check.sentence());
    thread.setDaemon(true);
    thread.start();
    Optional<Finding> finding;
    try {
      finding = outcome.get(check.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      finding = Optional.of(stuck(check, thread));
      thread.interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // found() throws nothing
    }
    Optional<Finding> trouble = closed(check, bench);
    return new CheckResult(check, finding.or(() -> trouble), bench.randomWasUsed());
  }

  private static Optional<Finding> found(Check check, Bench bench) {
    try {
      check.run(bench);
      return Optional.empty();
    } catch (Throwable e) {
      return Optional.of(finding(check, e));
    }
  }

  private static Finding finding(Check check, Throwable e) {
    Finding.Kind kind =
        e instanceof Expect.Violation
            ? Finding.Kind.VIOLATION
            : e instanceof LockException ? Finding.Kind.UNEXPECTED : Finding.Kind.BROKEN;
    String message =
        kind == Finding.Kind.VIOLATION ? String.valueOf(e.getMessage()) : String.valueOf(e);
    return new Finding(check.sentence(), kind, message, Optional.of(e));
  }

  private static Finding stuck(Check check, Thread thread) {
    IllegalStateException where = new IllegalStateException("where it was stuck");
    where.setStackTrace(thread.getStackTrace());
    return new Finding(
        check.sentence(),
        Finding.Kind.TIMED_OUT,
        "did not end within " + check.timeout().toSeconds() + " s",
        Optional.of(where));
  }

  private static Optional<Finding> closed(Check check, Bench bench) {
    try {
      bench.close();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(finding(check, new IllegalStateException("the subject did not heal", e)));
    }
  }
}
