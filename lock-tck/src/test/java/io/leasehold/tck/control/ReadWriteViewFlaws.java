package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.RW_6;

import io.leasehold.DistributedReadWriteLock;
import io.leasehold.LockClient;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingReadWriteLock;
import io.leasehold.tck.forward.ForwardingView;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Views of read-write locks that surprise existing code. */
final class ReadWriteViewFlaws {
  private ReadWriteViewFlaws() {}

  static List<Control> all() {
    return List.of(
        views("upgrade that just fails", side -> side, Upgrading::new),
        views("read lock with conditions", Conditional::new, side -> side),
        views("read lock that cannot be interrupted", Deaf::new, side -> side),
        views("tryLock that waits", side -> side, Patient::new));
  }

  private static Control views(
      String name, UnaryOperator<Lock> readers, UnaryOperator<Lock> writers) {
    return Wrapped.clients(name, client -> changed(client, readers, writers), RW_6).onlyItsGroups();
  }

  private static LockClient changed(
      LockClient client, UnaryOperator<Lock> readers, UnaryOperator<Lock> writers) {
    return new ForwardingClient(client) {
      @Override
      protected DistributedReadWriteLock around(DistributedReadWriteLock lock) {
        return new ForwardingReadWriteLock(lock, readers, writers);
      }
    };
  }

  private static final class Upgrading extends ForwardingView {
    Upgrading(Lock view) {
      super(view);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      try {
        return super.tryLock(time, unit);
      } catch (IllegalMonitorStateException e) {
        return false;
      }
    }
  }

  private static final class Conditional extends ForwardingView {
    Conditional(Lock view) {
      super(view);
    }

    @Override
    public Condition newCondition() {
      return new ReentrantLock().newCondition();
    }
  }

  private static final class Deaf extends ForwardingView {
    Deaf(Lock view) {
      super(view);
    }

    @Override
    public void lockInterruptibly() {
      lock();
    }
  }

  private static final class Patient extends ForwardingView {
    Patient(Lock view) {
      super(view);
    }

    @Override
    public boolean tryLock() {
      Pause.millis(6_000);
      return super.tryLock();
    }
  }
}
