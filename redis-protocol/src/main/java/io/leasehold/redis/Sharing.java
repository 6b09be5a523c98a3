package io.leasehold.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When threads that use a driver which blocks share a connection: when many of them have a command
 * under way at the same time. A few have one each, and nobody waits for anybody. Thread-safe.
 */
public final class Sharing {
  /** So many have a connection of their own. */
  private static final int FEW = 4;

  /** Servers and firewalls drop connections that are idle for minutes. */
  private static final long IDLE_NANOS = 60_000_000_000L;

  /** How long everybody has one of its own after none could be made to share. */
  private static final long PAUSE_NANOS = 1_000_000_000L;

  /** Everybody has a connection of its own, always. */
  public static final Sharing NEVER = new Sharing(end -> null);

  private final LongFunction<SharedConnection.@Nullable Wire> opening;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicBoolean making = new AtomicBoolean();
  private volatile @Nullable SharedConnection shared;
  private volatile long notBeforeNanos = System.nanoTime();

  /**
   * @param opening makes a connection, by that moment of {@link System#nanoTime()}; null, or an
   *     exception, when there is none to be had. Whoever then has to take its own learns why
   */
  public Sharing(LongFunction<SharedConnection.@Nullable Wire> opening) {
    this.opening = opening;
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @param end when to give up, by {@link System#nanoTime()}
   * @param alone does so over a connection that nobody else uses
   * @throws RedisConnectionFailure when the reply did not come; and whatever {@code alone} throws
   */
  public @Nullable Object exchange(
      RedisCommand command, long end, Supplier<? extends @Nullable Object> alone) {
    int others = underWay.getAndIncrement();
    try {
      SharedConnection.Call call =
          others < FEW || VirtualThreads.isCurrent() ? null : share(command, end);
      return call == null ? alone.get() : call.await();
    } finally {
      underWay.decrementAndGet();
    }
  }

  private SharedConnection.@Nullable Call share(RedisCommand command, long end) {
    SharedConnection connection = connection(end);
    return connection == null ? null : connection.send(command, end);
  }

  private @Nullable SharedConnection connection(long end) {
    SharedConnection last = shared;
    if (last != null && last.isFresh(IDLE_NANOS)) {
      return last;
    }
    if (System.nanoTime() - notBeforeNanos < 0 || !making.compareAndSet(false, true)) {
      return null; // whoever makes it has a while to wait; the others need not
    }
    try {
      retire();
      SharedConnection.Wire wire = open(end);
      SharedConnection made = wire == null ? null : new SharedConnection(wire);
      shared = made;
      return made;
    } finally {
      making.set(false);
    }
  }

  private SharedConnection.@Nullable Wire open(long end) {
    SharedConnection.Wire wire = null;
    try {
      wire = opening.apply(end);
      return wire;
    } catch (RuntimeException e) {
      return null; // told by whoever fails to get its own
    } finally {
      if (wire == null) {
        notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
      }
    }
  }

  /** The connection is not to be used any more; those who wait for a reply on it may. */
  public void retire() {
    SharedConnection last = shared;
    if (last != null) {
      last.retire();
    }
  }
}
