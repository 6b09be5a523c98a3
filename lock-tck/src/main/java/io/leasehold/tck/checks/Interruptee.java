package io.leasehold.tck.checks;

import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A thread that makes one call, to be interrupted in it. */
final class Interruptee {

  /** How the call ended, and whether the thread was marked as interrupted then. */
  private record End(Object outcome, boolean flag) {}

  private final String what;
  private final CompletableFuture<Thread> thread = new CompletableFuture<>();
  private final CompletableFuture<End> end;

  private Interruptee(Bench bench, String what, Callable<?> call) {
    this.what = what;
    this.end =
        bench.fork(
            () -> {
              thread.complete(Thread.currentThread());
              Object outcome;
              try {
                outcome = "the result " + call.call();
              } catch (Exception e) {
                outcome = e;
              }
              return new End(outcome, Thread.interrupted());
            });
  }

  /** Begins the call. */
  static Interruptee calling(Bench bench, String what, Callable<?> call) {
    return new Interruptee(bench, what, call);
  }

  /** Marks the thread. */
  Interruptee interrupt() {
    thread.join().interrupt();
    return this;
  }

  /** The call must end with an interruption that cleared the flag. */
  void expectInterrupted(Duration bound) throws InterruptedException {
    End seen = Waiting.result(what + " ends when its thread is interrupted", bound, end);
    Expect.type(InterruptedException.class, seen.outcome, "the end of " + what);
    Expect.that(!seen.flag, what + " threw InterruptedException and left the flag set");
  }
}
