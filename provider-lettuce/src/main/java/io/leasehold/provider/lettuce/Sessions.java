package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.PortContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a port: one that all calls share, and some that a call has for itself while it
 * waits for replicas. A session is used until it breaks, and never repaired: Lettuce would repeat
 * what was under way, or with a {@code replayFilter} forget it without completing it.
 *
 * @param <S> a session, or a connection for subscriptions
 */
final class Sessions<S> {
  /** How many calls may wait for replicas at once. */
  private static final int MOST_ALONE = 32;

  private final Supplier<? extends CompletionStage<S>> connect;
  private final Function<S, CompletionStage<Void>> closing;
  private final PortContext context;
  private final AtomicReference<@Nullable CompletableFuture<S>> shared = new AtomicReference<>();
  private final Set<S> open = ConcurrentHashMap.newKeySet();
  private final Set<Attempt> connecting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Guards what follows. */
  private final Object lock = new Object();

  private final Deque<S> idle = new ArrayDeque<>();
  private int alone;

  Sessions(
      Supplier<? extends CompletionStage<S>> connect,
      Function<S, CompletionStage<Void>> closing,
      PortContext context) {
    this.connect = connect;
    this.closing = closing;
    this.context = context;
  }

  /** The shared session; connects if there is none. */
  CompletableFuture<S> shared() {
    while (true) {
      CompletableFuture<S> now = shared.get();
      if (now != null && !now.isCompletedExceptionally()) {
        return now;
      }
      CompletableFuture<S> next = new CompletableFuture<>();
      if (shared.compareAndSet(now, next)) {
        connect(next);
        return next;
      }
    }
  }

  /** The next call connects anew, if this is the session that calls share. */
  boolean unshare(S session) {
    CompletableFuture<S> now = shared.get();
    return now != null
        && Stages.isThere(now)
        && now.join() == session
        && shared.compareAndSet(now, null);
  }

  /** Closes a session that is not shared any more, after a while if calls on it may be pending. */
  void end(S session, Duration after) {
    if (after.isZero()) {
      close(session);
    } else {
      context.scheduler().schedule(() -> close(session), after.toNanos());
    }
  }

  /** A session for one call; give it back, or {@link #drop} it. */
  CompletableFuture<S> take() {
    S taken;
    synchronized (lock) {
      taken = idle.pollLast();
      if (taken == null && ++alone > MOST_ALONE) {
        alone--;
        return CompletableFuture.failedFuture(RedisConnectionFailure.overloaded());
      }
    }
    if (taken != null) {
      return CompletableFuture.completedFuture(taken);
    }
    CompletableFuture<S> made = new CompletableFuture<>();
    connect(made);
    Stages.then(
        made,
        (session, error) -> {
          if (error != null) {
            synchronized (lock) {
              alone--;
            }
          }
        });
    return made;
  }

  void giveBack(S session) {
    synchronized (lock) {
      if (open.contains(session)) {
        idle.addLast(session);
        return;
      }
    }
    drop(session);
  }

  void drop(S session) {
    synchronized (lock) {
      alone--;
    }
    close(session);
  }

  /** Closes idle sessions: their server may have gone. */
  void dropIdle() {
    List<S> dropped;
    synchronized (lock) {
      dropped = List.copyOf(idle);
      idle.clear();
    }
    dropped.forEach(this::drop);
  }

  /** Closes all sessions, also those that are being made; completes when that is done. */
  CompletableFuture<?> close() {
    closed = true;
    CompletableFuture<S> last = shared.getAndSet(null);
    if (last != null) {
      last.completeExceptionally(RedisConnectionFailure.closed());
    }
    CompletableFuture<?>[] all =
        Stream.concat(
                connecting.stream().map(attempt -> attempt.settled),
                open.stream().map(session -> closing.apply(session).toCompletableFuture()))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(all);
  }

  private void close(S session) {
    if (open.remove(session)) {
      Stages.then(closing.apply(session), (done, error) -> {});
    }
  }

  /** Connects within the connect timeout; what comes later is closed. */
  private void connect(CompletableFuture<S> result) {
    Attempt attempt = new Attempt();
    connecting.add(attempt);
    try {
      if (closed) {
        throw RedisConnectionFailure.closed();
      }
      context
          .scheduler()
          .schedule(
              () ->
                  result.completeExceptionally(
                      RedisConnectionFailure.unreachable("not connected in time", null)),
              context.connectTimeout().toNanos());
      Stages.then(
          connect.get(),
          (session, error) -> {
            if (error != null) {
              result.completeExceptionally(failure(error));
            } else {
              open.add(session);
              if (closed || !result.complete(session)) {
                close(session);
                result.completeExceptionally(RedisConnectionFailure.closed());
              }
            }
            settle(attempt);
          });
    } catch (RuntimeException e) { // the client was closed
      result.completeExceptionally(failure(e));
      settle(attempt);
    }
  }

  private void settle(Attempt attempt) {
    connecting.remove(attempt);
    attempt.settled.complete(true);
  }

  /** An attempt to connect, which goes on when its result is not wanted any more. */
  private static final class Attempt {
    private final CompletableFuture<Boolean> settled = new CompletableFuture<>();
  }

  private RuntimeException failure(Throwable error) {
    return closed ? RedisConnectionFailure.closed() : PortErrors.ofConnecting(error);
  }
}
