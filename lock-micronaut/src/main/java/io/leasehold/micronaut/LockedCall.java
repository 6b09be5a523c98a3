package io.leasehold.micronaut;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockTimeoutException;
import io.leasehold.spi.Printable;
import io.micronaut.aop.Interceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.propagation.PropagatedContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call that needs a lock. Its method is called once for each lease: once, or by a publisher once
 * for each subscription.
 */
final class LockedCall {
  private final MethodInvocationContext<Object, Object> context;
  private final Interceptor<?, ?> interceptor;
  private final LockPlan plan;
  private final DistributedLock lock;
  private final LockClients clients;
  private final LeaseEndings endings;
  private final PropagatedContext caller = PropagatedContext.getOrEmpty();
  private final ReentrantLock proceeding = new ReentrantLock();

  LockedCall(
      MethodInvocationContext<Object, Object> context,
      Interceptor<?, ?> interceptor,
      LockPlan plan,
      LockClients clients,
      LeaseEndings endings) {
    this.context = context;
    this.interceptor = interceptor;
    this.plan = plan;
    this.lock = clients.get(plan.client()).lock(plan.name().of(context), plan.options());
    this.clients = clients;
    this.endings = endings;
  }

  /** Waits for the lock on the calling thread; empty when the call is to be skipped. */
  Optional<Lease> acquire() {
    try {
      return Optional.of(
          plan.waitTime().isPresent() ? lock.acquire(plan.waitTime().get()) : lock.acquire());
    } catch (LockTimeoutException e) {
      if (skips(e)) {
        return Optional.empty();
      }
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException(lock.name(), e);
    }
  }

  /** Waits for the lock without a thread. */
  CompletableFuture<Lease> acquireAsync() {
    return lock.acquireAsync(plan.waitTime().orElseGet(() -> clients.waitTime(plan.client())));
  }

  /** Whether an acquisition that failed in this way is no error, but skips the call. */
  boolean skips(Throwable failure) {
    boolean skips =
        plan.onBusy() == OnBusy.SKIP && unwrapped(failure) instanceof LockTimeoutException;
    if (skips) {
      System.getLogger("io.leasehold.micronaut")
          .log(
              System.Logger.Level.DEBUG,
              () ->
                  "Skipped " + context + ": the lock '" + Printable.of(lock.name()) + "' is busy");
    }
    return skips;
  }

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** The caller's context, where nothing else is known. */
  PropagatedContext caller() {
    return caller;
  }

  /** Calls the method with a lease. One at a time: a publisher may be subscribed concurrently. */
  @Nullable Object proceed(Lease lease, PropagatedContext around) {
    PropagatedContext inside = around.plus(new LeaseElement(lease));
    proceeding.lock();
    try {
      for (int each : plan.leaseParameters()) {
        context.getParameterValues()[each] = lease;
      }
      return inside.<@Nullable Object>propagate(() -> context.proceed(interceptor));
    } finally {
      proceeding.unlock();
    }
  }

  /**
   * Why a call that succeeded fails all the same, if it does. Asked after the lease was given back:
   * that some other client has taken a lock away may show only then.
   */
  Optional<LeaseLostException> loss(Lease lease) {
    if (plan.onLost() == OnLost.IGNORE || lease.isHeld()) {
      return Optional.empty();
    }
    try {
      lease.ensureHeld();
    } catch (LeaseLostException e) {
      return Optional.of(e);
    } catch (IllegalStateException e) {
      // the method has released it itself
    }
    return Optional.empty();
  }

  /** Gives the lease back; may wait for the server. */
  void end(Lease lease, long sinceNanos) {
    endings.end(lease, keep(sinceNanos));
  }

  /** Gives the lease back on another thread. */
  CompletionStage<Void> endAsync(Lease lease, long sinceNanos) {
    return endings.endAsync(lease, keep(sinceNanos));
  }

  private Duration keep(long sinceNanos) {
    return plan.atLeast().isZero()
        ? Duration.ZERO
        : plan.atLeast().minusNanos(System.nanoTime() - sinceNanos);
  }
}
