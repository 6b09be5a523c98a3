package io.leasehold.tck.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Passes everything on. */
class ForwardingView implements Lock {
  private final Lock view;

  ForwardingView(Lock view) {
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
