package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver;
import io.leasehold.LockObserver.Moment;
import io.leasehold.LockStatus;
import io.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Tells observers what happens, on a thread of its own: one that throws or blocks holds up neither
 * a caller nor a renewal.
 */
final class EventDispatcher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  private final List<LockListener> listeners;
  private final TimeSource time;
  private final ThreadPoolExecutor executor;
  private final AtomicBoolean complained = new AtomicBoolean();
  private final AtomicBoolean dropped = new AtomicBoolean();

  EventDispatcher(List<LockListener> listeners, TimeSource time) {
    this.listeners = List.copyOf(listeners);
    this.time = time;
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LockListener.BACKLOG),
            Executors.daemons("leasehold-listener"),
            (event, full) -> drop());
    executor.allowCoreThreadTimeOut(true);
  }

  /** A call begins: called on the caller's thread. */
  CallEvents start(AcquireCall call) {
    List<LockObserver> observers = new ArrayList<>(1);
    for (LockListener listener : listeners) {
      try {
        LockObserver observer = listener.start(call);
        if (observer != LockObserver.NONE) {
          observers.add(observer);
        }
      } catch (RuntimeException | Error e) {
        complain(e);
      }
    }
    return observers.isEmpty() ? CallEvents.SILENT : new CallEvents(this, observers);
  }

  /** A lock was taken away: told on the caller's thread. */
  void forced(LockStatus before, String why) {
    for (LockListener listener : listeners) {
      try {
        listener.forced(before, why);
      } catch (RuntimeException | Error e) {
        complain(e);
      }
    }
  }

  Moment now() {
    return new Moment(time.monotonicNanos(), time.wallMillis());
  }

  void dispatch(List<LockObserver> observers, BiConsumer<LockObserver, Moment> event) {
    Moment moment = now();
    executor.execute(
        () -> {
          for (LockObserver observer : observers) {
            try {
              event.accept(observer, moment);
            } catch (RuntimeException | Error e) {
              complain(e);
            }
          }
        });
  }

  private void complain(Throwable e) {
    if (complained.compareAndSet(false, true)) {
      LOG.log(System.Logger.Level.WARNING, "LH-213 a lock listener threw; told once", e);
    }
  }

  private void drop() {
    if (!executor.isShutdown() && dropped.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "LH-214 a lock listener is too slow; events are being dropped; told once");
    }
  }

  /** Tells what is still waiting to be told, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
