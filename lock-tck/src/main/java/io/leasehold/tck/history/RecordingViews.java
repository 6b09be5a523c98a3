package io.leasehold.tck.history;

import io.leasehold.LeaseLostException;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.forward.ForwardingView;
import io.leasehold.tck.history.ClientLog.Acquiring;
import io.leasehold.tck.history.ClientLog.Target;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what threads do with the views for {@code java.util.concurrent.locks}. The first lock
 * of a thread is an acquisition and the last unlock its release; what comes between is evidence
 * that the lease is held, or over. A view has no token, and tells of no loss until it is used.
 */
final class RecordingViews {

  /** A lock that a thread holds. Touched by that thread only. */
  private static final class Hold {
    long call;
    int count = 1;
    boolean over; // what it stands for has been written down as ended

    Hold(long call) {
      this.call = call;
    }
  }

  private record Key(Target target, Thread thread) {}

  private final ClientLog log;
  private final ConcurrentMap<Key, Hold> holds = new ConcurrentHashMap<>();

  RecordingViews(ClientLog log) {
    this.log = log;
  }

  Lock around(Lock view, Target target) {
    return new View(view, target);
  }

  private @Nullable Hold current(Target target) {
    return holds.get(new Key(target, Thread.currentThread()));
  }

  private @Nullable Hold writing(Target target) {
    return current(new Target(LockKind.WRITE.word(), target.names()));
  }

  private @Nullable Hold reading(Target target) {
    return current(new Target(LockKind.READ.word(), target.names()));
  }

  private final class View extends ForwardingView {
    private final Target target;
    private final Key key;
    private final boolean reads;
    private final boolean writes;

    View(Lock view, Target target) {
      super(view);
      this.target = target;
      this.key = new Key(target, Thread.currentThread());
      this.reads = target.kind().equals(LockKind.READ.word());
      this.writes = target.kind().equals(LockKind.WRITE.word());
    }

    private Key key() {
      Thread thread = Thread.currentThread();
      return key.thread == thread ? key : new Key(target, thread);
    }

    @Override
    public void lock() {
      entered(
          Long.MAX_VALUE,
          () -> {
            super.lock();
            return true;
          });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      entered(
          Long.MAX_VALUE,
          () -> {
            super.lockInterruptibly();
            return true;
          });
    }

    @Override
    public boolean tryLock() {
      return entered(0, super::tryLock);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return entered(Math.max(0, unit.toNanos(time)), () -> super.tryLock(time, unit));
    }

    private <E extends Exception> boolean entered(long wait, Acquiring<Boolean, E> entering)
        throws E {
      Hold hold = current(target);
      Hold writing = reads ? writing(target) : null;
      if (hold != null || writing != null) {
        return reentered(hold, hold != null ? hold : writing, entering);
      }
      if (writes && reading(target) != null) {
        return entering.run(); // it would wait for itself, and is refused unasked
      }
      long call = log.acquiring(target, wait);
      boolean entered;
      try {
        entered = entering.run();
      } catch (Throwable e) {
        log.refused(call, e);
        throw e;
      }
      if (entered) {
        log.write(HistoryRecorder.now(), Words.GRANTED, call, Words.NONE + " 0");
        holds.put(key(), new Hold(call));
      } else {
        log.busy(call);
      }
      return entered;
    }

    /** A thread that writes reads along, under its writer's lease. */
    private <E extends Exception> boolean reentered(
        @Nullable Hold hold, @Nullable Hold lease, Acquiring<Boolean, E> entering) throws E {
      long asked = HistoryRecorder.now();
      boolean entered;
      try {
        entered = entering.run();
      } catch (LeaseLostException e) {
        over(lease);
        throw e;
      }
      if (entered) {
        held(lease, asked);
        if (hold != null) {
          hold.count++;
        } else if (lease != null) {
          holds.put(key(), new Hold(lease.call));
        }
      }
      return entered;
    }

    private void held(@Nullable Hold lease, long asked) {
      if (lease != null) {
        log.write(asked, Words.HELD, lease.call, "0");
      }
    }

    private void over(@Nullable Hold lease) {
      if (lease != null && !lease.over) {
        log.write(HistoryRecorder.now(), Words.ENDED, Long.toString(lease.call));
      }
    }

    @Override
    public void unlock() {
      Hold hold = current(target);
      if (hold == null) {
        super.unlock(); // a stranger's: it throws
        return;
      }
      if (--hold.count > 0) {
        unlockInner(hold);
        return;
      }
      holds.remove(key());
      Hold writing = reads ? writing(target) : null;
      Hold reading = writes ? reading(target) : null;
      if (hold.over || (writing != null && writing.call == hold.call)) {
        super.unlock(); // the lease is the writer's
      } else if (reading != null) {
        downgrade(hold, reading);
      } else {
        release(hold);
      }
    }

    private void unlockInner(Hold hold) {
      long asked = HistoryRecorder.now();
      try {
        super.unlock();
      } catch (IllegalMonitorStateException e) {
        over(hold);
        throw e;
      }
      held(hold, asked);
    }

    private void release(Hold hold) {
      log.write(HistoryRecorder.now(), Words.RELEASE, hold.call, Words.NONE);
      String result = Ending.FAILED.word();
      try {
        super.unlock();
        result = Ending.RELEASED.word();
      } catch (LockUnavailableException e) {
        result = Ending.UNAVAILABLE.word();
        throw e;
      } catch (IllegalMonitorStateException e) {
        result = wasLost(e) ? Ending.LOST.word() : result;
        throw e;
      } finally {
        log.write(HistoryRecorder.now(), Words.RELEASED, hold.call, result);
      }
    }

    /** Stops writing first: the thread goes on as a reader, with a lease of its own. */
    private void downgrade(Hold writer, Hold reader) {
      long call = log.nextId();
      String line = call + " " + writer.call + " " + Words.NONE;
      log.write(HistoryRecorder.now(), Words.DOWNGRADE, line);
      try {
        super.unlock();
      } catch (RuntimeException e) {
        reader.over = true;
        log.refused(call, e.getCause() instanceof LeaseLostException lost ? lost : e);
        throw e;
      }
      log.write(HistoryRecorder.now(), Words.GRANTED, call, Words.NONE + " 0");
      reader.call = call;
    }

    private boolean wasLost(RuntimeException error) {
      return error.getCause() instanceof LeaseLostException;
    }
  }
}
