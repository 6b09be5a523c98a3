package io.leasehold.tck.forward;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Passes everything on. */
public class ForwardingView implements Lock {
  private final Lock view;

  /** Around a view. */
  public ForwardingView(Lock view) {
    this.view = view;
  }

  @Override
  public void lock() {
    view.lock();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    view.lockInterruptibly();
  }

  @Override
  public boolean tryLock() {
    return view.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return view.tryLock(time, unit);
  }

  @Override
  public void unlock() {
    view.unlock();
  }

  @Override
  public Condition newCondition() {
    return view.newCondition();
  }
}
