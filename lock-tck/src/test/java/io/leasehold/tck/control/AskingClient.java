package io.leasehold.tck.control;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A client whose re-entrant view asks the server each time it is entered. */
final class AskingClient extends ForwardingClient {

  AskingClient(LockClient client) {
    super(client);
  }

  @Override
  protected DistributedLock around(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Lock asLock() {
        return new Asking(lock);
      }
    };
  }

  private static final class Asking implements Lock {
    private final DistributedLock lock;
    private final Lock view;

    Asking(DistributedLock lock) {
      this.lock = lock;
      this.view = lock.asLock();
    }

    @Override
    public void lock() {
      ask();
      view.lock();
    }

    private void ask() {
      lock.tryAcquire().ifPresent(Lease::close);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      view.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
      ask();
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
}
