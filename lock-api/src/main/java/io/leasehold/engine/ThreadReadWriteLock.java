package io.leasehold.engine;

import io.leasehold.LeaseLostException;
import io.leasehold.ReleaseResult;
import io.leasehold.engine.ThreadHolds.Hold;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The view of a read-write lock for code that was written for {@code java.util.concurrent.locks}. A
 * thread that writes reads along under its writer's lease; when it stops writing first, that lease
 * becomes a reader's.
 */
final class ThreadReadWriteLock implements ReadWriteLock {
  private final EngineLock readers;
  private final EngineLock writers;

  ThreadReadWriteLock(EngineLock readers, EngineLock writers) {
    this.readers = readers;
    this.writers = writers;
  }

  @Override
  public Lock readLock() {
    return new ReadingThreadLock();
  }

  @Override
  public Lock writeLock() {
    return new WritingThreadLock();
  }

  private @Nullable Hold reading() {
    return readers.engine().threadHolds.current(readers.key());
  }

  private @Nullable Hold writing() {
    return writers.engine().threadHolds.current(writers.key());
  }

  private final class ReadingThreadLock extends ThreadLock {
    ReadingThreadLock() {
      super(readers);
    }

    @Override
    boolean reenter() {
      if (super.reenter()) {
        return true;
      }
      Hold writing = writing();
      if (writing == null) {
        return false;
      }
      writing.lease.ensureHeld();
      return enter(writing.lease);
    }

    @Override
    ReleaseResult end(Hold hold) {
      Hold writing = writing();
      boolean borrowed = writing != null && writing.lease == hold.lease;
      if (!borrowed) {
        return super.end(hold);
      }
      return hold.lease.isHeld() ? ReleaseResult.RELEASED : ReleaseResult.LOST;
    }
  }

  private final class WritingThreadLock extends ThreadLock {
    WritingThreadLock() {
      super(writers);
    }

    @Override
    boolean waitsForItself() {
      return reading() != null;
    }

    @Override
    ReleaseResult end(Hold hold) {
      Hold reading = reading();
      if (reading == null) {
        return super.end(hold);
      }
      if (!hold.lease.isHeld()) {
        return ReleaseResult.LOST;
      }
      try {
        reading.lease = Downgrade.of(hold.lease, readers);
        return ReleaseResult.RELEASED;
      } catch (LeaseLostException e) {
        return ReleaseResult.LOST;
      }
    }
  }
}
