package io.leasehold.engine;

import io.leasehold.LeaseLostException;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.engine.ThreadHolds.Hold;
import io.leasehold.spi.Printable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** The view of a lock for code that was written for {@code java.util.concurrent.locks}. */
class ThreadLock implements Lock {
  private final EngineLock lock;
  private final ThreadHolds holds;

  ThreadLock(EngineLock lock) {
    this.lock = lock;
    this.holds = lock.engine().threadHolds;
  }

  @Override
  public void lock() {
    if (!reenter()) {
      refuseToWaitForItself();
      // The j.u.c. contract knows no time-out; servers that are gone must be told all the same.
      enter(BlockingAcquire.uninterruptibly(lock, Nanos.FOREVER, lock.terms().waitNanos()));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!reenter()) {
      refuseToWaitForItself();
      enter(BlockingAcquire.interruptibly(lock, Nanos.FOREVER, lock.terms().waitNanos()));
    }
  }

  @Override
  public boolean tryLock() {
    return reenter() || (!waitsForItself() && enter(BlockingAcquire.uninterruptibly(lock, 0, 0)));
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long waitNanos = Math.max(0, Math.min(unit.toNanos(time), Nanos.FOREVER));
    if (reenter()) {
      return true;
    }
    refuseToWaitForItself();
    return enter(BlockingAcquire.interruptibly(lock, waitNanos, waitNanos));
  }

  @Override
  public void unlock() {
    Hold hold = holds.current(lock.key());
    if (hold == null) {
      throw new IllegalMonitorStateException(
          "The lock '" + Printable.of(lock.name()) + "' is not held by this thread");
    }
    boolean last = --hold.count == 0;
    if (last) {
      holds.end(lock.key());
    }
    boolean lost = last ? end(hold) == ReleaseResult.LOST : !hold.lease.isHeld();
    if (lost) {
      LossReason reason = hold.lease.lossReason();
      IllegalMonitorStateException error =
          new IllegalMonitorStateException(
              "The lock '" + Printable.of(lock.name()) + "' was lost before it was unlocked");
      error.initCause(new LeaseLostException(lock.name(), reason));
      throw error;
    }
  }

  /** Whether this thread holds what it would wait for, and cannot share it. */
  boolean waitsForItself() {
    return false;
  }

  private void refuseToWaitForItself() {
    if (waitsForItself()) {
      throw new IllegalMonitorStateException(
          "This thread holds the read lock '"
              + Printable.of(lock.name())
              + "' and would wait for itself: unlock it before the write lock is taken");
    }
  }

  /** Ends the last hold of this thread. */
  ReleaseResult end(Hold hold) {
    return hold.lease.release();
  }

  /** Counts one more hold of this thread, if it has one; nothing is sent. */
  boolean reenter() {
    Hold hold = holds.current(lock.key());
    if (hold == null) {
      return false;
    }
    hold.lease.ensureHeld();
    hold.count++;
    return true;
  }

  final boolean enter(@Nullable HeldLease lease) {
    if (lease == null) {
      return false;
    }
    holds.begin(lock.key(), lease);
    return true;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "A distributed lock has no conditions: a signal could not reach other processes");
  }

  @Override
  public String toString() {
    return "Lock view of " + lock;
  }
}
