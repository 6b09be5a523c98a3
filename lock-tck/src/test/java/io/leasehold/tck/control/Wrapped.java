package io.leasehold.tck.control;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Controls that put a flaw around one kind of thing that a client hands out. */
final class Wrapped {
  private Wrapped() {}

  /** A flaw in how clients are opened. */
  static Control openings(String name, Consumer<Opening> flaw, Requirement... fails) {
    Interference interference =
        new Interference() {
          @Override
          public void before(Opening opening) {
            flaw.accept(opening);
          }
        };
    return Control.client(name, interference, fails);
  }

  /** A flaw of clients. */
  static Control clients(String name, UnaryOperator<LockClient> flaw, Requirement... fails) {
    Interference interference =
        new Interference() {
          @Override
          public LockClient after(LockClient client) {
            return flaw.apply(client);
          }
        };
    return Control.client(name, interference, fails);
  }

  /** A flaw of locks. */
  static Control locks(String name, UnaryOperator<DistributedLock> flaw, Requirement... fails) {
    return clients(
        name,
        client ->
            new ForwardingClient(client) {
              @Override
              protected DistributedLock around(DistributedLock lock) {
                return flaw.apply(lock);
              }
            },
        fails);
  }

  /** A flaw of leases. */
  static Control leases(String name, UnaryOperator<Lease> flaw, Requirement... fails) {
    return locks(name, lock -> new WithLeases(lock, flaw), fails);
  }

  /** A flaw of the views that belong to threads. */
  static Control views(String name, UnaryOperator<Lock> flaw, Requirement... fails) {
    return locks(
        name,
        lock ->
            new ForwardingLock(lock) {
              @Override
              public Lock asLock() {
                return flaw.apply(super.asLock());
              }
            },
        fails);
  }

  private static final class WithLeases extends ForwardingLock {
    private final UnaryOperator<Lease> flaw;

    WithLeases(DistributedLock lock, UnaryOperator<Lease> flaw) {
      super(lock);
      this.flaw = flaw;
    }

    @Override
    protected Lease around(Lease lease) {
      return flaw.apply(lease);
    }

    /** A future of its own, which passes a cancellation on. */
    @Override
    public CompletableFuture<Lease> acquireAsync(Duration wait) {
      CompletableFuture<Lease> inner = super.acquireAsync(wait);
      CompletionStage<Lease> stage = inner;
      CompletableFuture<Lease> outer =
          new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
              inner.cancel(mayInterruptIfRunning);
              return super.cancel(mayInterruptIfRunning);
            }
          };
      stage.whenComplete(
          (lease, error) -> {
            if (error == null) {
              outer.complete(around(lease));
            } else {
              outer.completeExceptionally(error);
            }
          });
      return outer;
    }
  }
}
