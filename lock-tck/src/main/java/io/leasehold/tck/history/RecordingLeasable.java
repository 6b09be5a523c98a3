package io.leasehold.tck.history;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Something that is leased, every acquisition of which is written down. */
class RecordingLeasable implements Leasable {
  /** For calls that wait for as long as the client is configured to. */
  static final long CONFIGURED = -1;

  private final Leasable leasable;
  final ClientLog log;
  final ClientLog.Target target;

  RecordingLeasable(Leasable leasable, ClientLog log, ClientLog.Target target) {
    this.leasable = leasable;
    this.log = log;
    this.target = target;
  }

  @Override
  public String name() {
    return leasable.name();
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return log.recorded(target, CONFIGURED, leasable::acquire);
  }

  @Override
  public Lease acquire(Duration wait) throws InterruptedException {
    return log.recorded(target, ClientLog.nanos(wait), () -> leasable.acquire(wait));
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return tried(0, leasable::tryAcquire);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return tried(ClientLog.nanos(wait), () -> leasable.tryAcquire(wait));
  }

  private <E extends Exception> Optional<Lease> tried(
      long wait, ClientLog.Acquiring<Optional<Lease>, E> trying) throws E {
    long call = log.acquiring(target, wait);
    Optional<Lease> result;
    try {
      result = trying.run();
    } catch (Throwable e) {
      log.refused(call, e);
      throw e;
    }
    if (result.isEmpty()) {
      log.busy(call);
    }
    return result.map(lease -> log.granted(call, lease));
  }

  /** A future of its own, which passes a cancellation on. */
  @Override
  public CompletableFuture<Lease> acquireAsync(Duration wait) {
    long call = log.acquiring(target, ClientLog.nanos(wait));
    CompletableFuture<Lease> inner;
    try {
      inner = leasable.acquireAsync(wait);
    } catch (Throwable e) {
      log.refused(call, e);
      throw e;
    }
    CompletableFuture<Lease> outer =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            inner.cancel(mayInterruptIfRunning);
            return super.cancel(mayInterruptIfRunning);
          }
        };
    CompletionStage<Lease> stage = inner;
    stage.whenComplete(
        (lease, error) -> {
          if (error != null) {
            log.refused(call, error);
            outer.completeExceptionally(error);
            return;
          }
          Lease recorded = log.granted(call, lease);
          if (!outer.complete(recorded)) {
            recorded.close(); // cancelled at the last moment: nobody else would
          }
        });
    return outer;
  }

  @Override
  public String toString() {
    return leasable.toString();
  }
}
