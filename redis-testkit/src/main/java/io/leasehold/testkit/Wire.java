package io.leasehold.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The faults and the counters of one direction, shared by all connections of a proxy. Thread-safe.
 */
final class Wire {

  enum Fate {
    PASS,
    DROP,
    DROP_AND_CUT
  }

  private final Direction direction;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private boolean blackHole;

  private volatile long delayNanos;
  private volatile boolean dropping;
  private final AtomicReference<@Nullable AfterDrop> dropNext = new AtomicReference<>();
  private volatile ChunkListener listener = ChunkListener.NONE;

  private final LongAdder chunks = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder droppedChunks = new LongAdder();
  private final LongAdder droppedBytes = new LongAdder();

  Wire(Direction direction) {
    this.direction = direction;
  }

  void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  long delayNanos() {
    return delayNanos;
  }

  void drop() {
    dropping = true;
  }

  void dropNext(AfterDrop then) {
    dropNext.set(then);
  }

  void listener(ChunkListener newListener) {
    listener = newListener;
  }

  void blackHole() {
    lock.lock();
    try {
      blackHole = true;
    } finally {
      lock.unlock();
    }
  }

  void heal() {
    delayNanos = 0;
    dropping = false;
    dropNext.set(null);
    lock.lock();
    try {
      blackHole = false;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits while this direction is a black hole. */
  void awaitOpen() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (blackHole) {
        opened.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells the listener, and then decides: in this order, so that a listener can still change the
   * outcome.
   */
  Fate fateOf(long connection, byte[] chunk) {
    ChunkListener current = listener;
    if (current != ChunkListener.NONE) {
      current.passes(new Chunk(direction, connection, new String(chunk, StandardCharsets.UTF_8)));
    }
    AfterDrop then = dropNext.getAndSet(null);
    if (then == null && !dropping) {
      return Fate.PASS;
    }
    droppedChunks.increment();
    droppedBytes.add(chunk.length);
    return then == AfterDrop.CUT ? Fate.DROP_AND_CUT : Fate.DROP;
  }

  void countPassed(byte[] chunk) {
    chunks.increment();
    bytes.add(chunk.length);
  }

  Traffic traffic() {
    return new Traffic(chunks.sum(), bytes.sum(), droppedChunks.sum(), droppedBytes.sum());
  }
}
