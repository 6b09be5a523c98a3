package io.leasehold.examples.orders;

import io.leasehold.Lease;
import io.leasehold.micronaut.CurrentLease;
import io.leasehold.micronaut.Locked;
import io.leasehold.micronaut.OnBusy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** What is done to orders, each under the order's lock, in whatever way a method answers. */
@Singleton
class Orders {
  private final Ledger ledger;
  private final CurrentLease lease;

  Orders(Ledger ledger, CurrentLease lease) {
    this.ledger = ledger;
    this.lease = lease;
  }

  /** Waits for its turn. */
  @Locked(value = "order:{id}", waitTime = "10s")
  Receipt pay(String id, Duration work) throws InterruptedException {
    Lease held = lease.require();
    TimeUnit.NANOSECONDS.sleep(work.toNanos());
    return new Receipt(id, ledger.book(id, held.fencingToken()), held.fencingToken());
  }

  /** Does not wait: whoever finds the order busy is told so. */
  @Locked(value = "order:{id}", waitTime = "0s")
  Mono<Receipt> ship(String id, Duration work) {
    long token = lease.require().fencingToken();
    return Mono.delay(work).map(done -> new Receipt(id, ledger.payments(id), token));
  }

  /** Holds the lock until the stage is complete. */
  @Locked(value = "order:{id}", waitTime = "10s")
  CompletionStage<Receipt> refund(String id, Duration work) {
    long token = lease.require().fencingToken();
    return CompletableFuture.supplyAsync(
        () -> new Receipt(id, ledger.payments(id), token),
        CompletableFuture.delayedExecutor(work.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Is left out when somebody is at the order already. */
  @Locked(value = "order:{id}", waitTime = "0s", onBusy = OnBusy.SKIP)
  Optional<Receipt> audit(String id) {
    return Optional.of(new Receipt(id, ledger.payments(id), lease.require().fencingToken()));
  }
}
