package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection of Lettuce that is used until it breaks, and not after: a client that was handed in
 * may want to restore it, with the commands that were under way.
 *
 * @param <C> its kind
 */
abstract class LettuceConnection<C extends StatefulConnection<byte[], byte[]>> {
  private enum State {
    OPEN,
    BROKEN,
    CLOSED
  }

  final C connection;
  private final Set<LettuceConnection<?>> open;
  private final Runnable broken;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

  /**
   * @param open this is among them from now on, until it is gone
   */
  LettuceConnection(C connection, Set<LettuceConnection<?>> open, Runnable broken) {
    this.connection = connection;
    this.open = open;
    this.broken = broken;
    open.add(this);
  }

  /** Does what is left to do before it can be handed out. */
  CompletionStage<?> prepare() {
    return CompletableFuture.completedStage(this);
  }

  /** Begins to tell when it breaks. */
  final void watch() {
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            end(State.BROKEN, broken);
          }
        });
    if (!connection.isOpen()) { // it broke before the listener was there
      end(State.BROKEN, broken);
    }
  }

  public final void close() {
    end(State.CLOSED, () -> {});
  }

  /** Completes when it is closed and its client has forgotten it. */
  final CompletableFuture<?> gone() {
    return gone;
  }

  /** What a failure of a command means. */
  final RuntimeException failure(Throwable error) {
    return state.get() == State.CLOSED
        ? RedisConnectionFailure.closed()
        : LettuceErrors.ofCommand(error);
  }

  /** The same answer, but what it fails with is what the failure means. */
  final <T> CompletableFuture<T> answer(CompletionStage<T> given) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    given.whenComplete(
        (value, error) -> {
          if (error == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure(error));
          }
        });
    return answer;
  }

  private void end(State how, Runnable event) {
    if (state.compareAndSet(State.OPEN, how)) {
      CompletionStage<?> closing = connection.closeAsync();
      closing.whenComplete(
          (done, error) -> {
            open.remove(this);
            gone.complete(true);
          });
      event.run();
    }
  }
}
