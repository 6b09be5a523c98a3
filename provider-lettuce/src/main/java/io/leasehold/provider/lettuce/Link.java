package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ProviderContext;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server that is made anew whenever it breaks, or whenever its user finds
 * that nothing is answered on it any more. While there is none, its user is told so at once, and
 * why.
 *
 * @param <C> the kind of connection
 */
final class Link<C extends StatefulConnection<byte[], byte[]>> {
  private static final Duration FIRST_DELAY = Duration.ofMillis(10);
  private static final Duration LONGEST_DELAY = Duration.ofMillis(500);

  private final ProviderContext context;
  private final Supplier<CompletionStage<C>> connector;
  private final Runnable restored;

  /** Guards what follows; never held while anything outside is called. */
  private final Object lock = new Object();

  private @Nullable Live<C> live;
  private RuntimeException reason =
      new RedisConnectionFailure(FailureKind.UNREACHABLE, "not connected yet", null);
  private boolean closed;

  /**
   * @param connector makes a connection that is ready for use; what fails leaves nothing open
   * @param restored called each time when a connection has taken the place of an earlier one
   */
  Link(ProviderContext context, Supplier<CompletionStage<C>> connector, Runnable restored) {
    this.context = context;
    this.connector = connector;
    this.restored = restored;
  }

  /** A connection, and how many replies came over it. */
  static final class Live<C> {
    private final C connection;
    private final AtomicLong replies = new AtomicLong();

    private Live(C connection) {
      this.connection = connection;
    }

    C connection() {
      return connection;
    }

    AtomicLong replies() {
      return replies;
    }
  }

  /** Makes the first connection. One attempt: what fails is told, and not tried again. */
  CompletionStage<?> open() {
    return attempt().thenAccept(this::install);
  }

  /**
   * The connection as it is now.
   *
   * @throws RuntimeException why there is none, as the port tells it
   */
  Live<C> current() {
    synchronized (lock) {
      if (live == null) {
        throw reason;
      }
      return live;
    }
  }

  /** The connection is of no use any more: another is made, and this one closed. */
  void replace(Live<C> broken, RuntimeException why) {
    synchronized (lock) {
      if (live != broken) {
        return;
      }
      live = null;
      reason = why;
    }
    discard(broken.connection());
    reconnect(FIRST_DELAY);
  }

  /** Closes the connection and makes no more. Does not wait. */
  void close() {
    Live<C> last = end();
    if (last != null) {
      discard(last.connection());
    }
  }

  /** As {@link #close}, for when the driver is about to close all connections anyway. */
  @Nullable Live<C> end() {
    synchronized (lock) {
      closed = true;
      reason = closed();
      Live<C> last = live;
      live = null;
      return last;
    }
  }

  boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /** Closes a connection without waiting for it. */
  static void discard(StatefulConnection<?, ?> connection) {
    CompletableFuture<?> unused = connection.closeAsync();
  }

  static RedisConnectionFailure closed() {
    return new RedisConnectionFailure(FailureKind.CLOSED, "the client is closed", null);
  }

  private CompletionStage<C> attempt() {
    CompletionStage<C> made;
    try {
      made = connector.get();
    } catch (RuntimeException e) { // the driver is being closed
      made = CompletableFuture.failedStage(e);
    }
    return made.exceptionallyCompose(
        error -> CompletableFuture.failedStage(LettuceErrors.ofConnecting(error)));
  }

  private void install(C connection) {
    Live<C> fresh = new Live<>(connection);
    boolean late;
    synchronized (lock) {
      late = closed;
      if (!late) {
        live = fresh;
      }
    }
    if (late) {
      discard(connection);
      throw closed();
    }
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            replace(fresh, lost());
          }
        });
    if (!connection.isOpen()) { // it broke before the listener was there
      replace(fresh, lost());
    }
  }

  private void reconnect(Duration delay) {
    // Half of it random: clients that lost one server do not come back at the same moment.
    long nanos = delay.toNanos() / 2;
    context
        .scheduler()
        .schedule(
            () ->
                attempt()
                    .thenAccept(this::install)
                    .whenComplete((installed, error) -> attempted(error, delay)),
            nanos + context.random().nextLong(nanos));
  }

  private void attempted(@Nullable Throwable error, Duration delay) {
    if (error == null) {
      restored.run();
      return;
    }
    synchronized (lock) {
      if (closed) {
        return;
      }
      if (LettuceErrors.unwrap(error) instanceof RuntimeException why) {
        reason = why;
      }
    }
    Duration longer = delay.multipliedBy(2);
    reconnect(longer.compareTo(LONGEST_DELAY) < 0 ? longer : LONGEST_DELAY);
  }

  static RedisConnectionFailure silent() {
    return new RedisConnectionFailure(
        FailureKind.UNREACHABLE, "the server stopped answering; connecting anew", null);
  }

  private static RedisConnectionFailure lost() {
    return new RedisConnectionFailure(
        FailureKind.UNREACHABLE, "the connection was lost and is being made anew", null);
  }
}
