package io.leasehold.micronaut;

import io.leasehold.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * The lease of one subscription. It belongs to this object from the moment when it is granted,
 * wherever the signal that carries it has got to: no race between a grant and a cancellation leaves
 * it behind.
 */
final class SubscribedLease {
  private final LockedCall call;
  private final CompletableFuture<Lease> acquiring;
  private final long since = System.nanoTime();
  private final AtomicBoolean ended = new AtomicBoolean();

  SubscribedLease(LockedCall call) {
    this.call = call;
    this.acquiring = call.acquireAsync();
  }

  /** The lease; nothing when the call is to be skipped. */
  Mono<Lease> lease() {
    return Mono.fromFuture(acquiring, true)
        .onErrorResume(failure -> call.skips(failure) ? Mono.empty() : Mono.error(failure));
  }

  /** Gives the lease back; fails when the work has succeeded, but the lease was lost meanwhile. */
  Mono<Void> end(Lease lease, Signal<?> work) {
    if (!ended.compareAndSet(false, true)) {
      return Mono.empty();
    }
    return Mono.fromFuture(call.endAsync(lease, since).toCompletableFuture(), true)
        .then(
            Mono.defer(
                () ->
                    work.isOnError()
                        ? Mono.empty()
                        : call.loss(lease).<Mono<Void>>map(Mono::error).orElseGet(Mono::empty)));
  }

  /** Gives the lease back if nobody has, or gives up waiting for it. Never blocks. */
  void abandon() {
    if (ended.compareAndSet(false, true)) {
      acquiring.cancel(true); // either it is given up now, or it has been granted before
      CompletableFuture<?> unused = acquiring.thenCompose(lease -> call.endAsync(lease, since));
    }
  }
}
