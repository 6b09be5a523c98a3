package io.leasehold.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What threads want sent on one connection: in the order in which they came, one after the other,
 * and on its event loop, where there is one.
 *
 * <p>Each task that a thread gives to an event loop may cost a system call that wakes it, here even
 * while it is awake: a loop that works on what its socket had to tell counts as asleep. And just
 * then those who are answered ask again. So a loop that is about to answer somebody says that it
 * will look here afterwards ({@link #expect}), and until then nobody calls it.
 */
public final class Outbox {
  /** So many in one task of the loop: it has others to serve, too. */
  static final int MOST = 64;

  /** Something to send. */
  public interface Errand {
    /** Sends it. */
    void send();

    /** That has thrown this, or cannot be done any more. */
    void failed(RuntimeException why);
  }

  private final Executor executor;
  private final boolean loop;
  private final Queue<Errand> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean called = new AtomicBoolean();
  private final Runnable sending = this::send;

  private Outbox(Executor executor, boolean loop) {
    this.executor = executor;
    this.loop = loop;
  }

  /** For a connection that has this event loop. */
  public static Outbox of(Executor loop) {
    return new Outbox(loop, true);
  }

  /** For a connection whose loop is not known: what is to be sent is, by those who come with it. */
  public static Outbox ofCallers() {
    ReentrantLock turn = new ReentrantLock();
    return new Outbox(
        sending -> {
          turn.lock();
          try {
            sending.run();
          } finally {
            turn.unlock();
          }
        },
        false);
  }

  /** Takes something to be sent soon. Waits for no reply. */
  public void put(Errand errand) {
    waiting.add(errand);
    call();
  }

  /** On the loop: somebody is about to be answered, and will ask again at once. */
  public void expect() {
    if (loop) {
      call();
    }
  }

  private void call() {
    if (called.get() || !called.compareAndSet(false, true)) {
      return; // it will look, and find what was put here before
    }
    try {
      executor.execute(sending);
    } catch (RejectedExecutionException e) {
      called.set(false); // first: who comes later finds out by itself
      for (Errand errand = waiting.poll(); errand != null; errand = waiting.poll()) {
        errand.failed(RedisConnectionFailure.closed()); // its loop has ended
      }
    }
  }

  private static void send(Errand errand) {
    try {
      errand.send();
    } catch (RuntimeException e) {
      errand.failed(e);
    }
  }

  private void send() {
    called.set(false); // first: who comes later calls again
    try {
      for (int i = 0; i < MOST; i++) {
        Errand errand = waiting.poll();
        if (errand == null) {
          return;
        }
        send(errand);
      }
    } finally { // however that ends
      if (!waiting.isEmpty()) {
        call();
      }
    }
  }
}
