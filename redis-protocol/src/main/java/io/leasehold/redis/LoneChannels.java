package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Channels to a server that one user has for itself for as long as it waits for the replies: WAIT
 * holds up everything behind it. For drivers whose channels are one connection.
 */
final class LoneChannels {
  static final int MOST = 32;

  private final Wiring wiring;
  private final Endpoint server;
  private final Deadlines deadlines;

  /** Guards what follows; never held while anything outside is called. */
  private final Object lock = new Object();

  private final Deque<Lone> idle = new ArrayDeque<>();
  private int open;
  private boolean closed;

  LoneChannels(Wiring wiring, Endpoint server) {
    this.wiring = wiring;
    this.server = server;
    this.deadlines = new Deadlines(wiring.context(), wiring.commandTimeout());
  }

  /** Sends commands on a channel of their own. */
  CompletionStage<List<Object>> send(List<RedisCommand> commands) {
    Lone taken;
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedStage(RedisConnectionFailure.closed());
      }
      taken = idle.pollLast();
      if (taken == null && open >= MOST) {
        return CompletableFuture.failedStage(
            new RedisConnectionFailure(
                FailureKind.OVERLOADED, "too many requests wait for replicas", null));
      }
      if (taken == null) {
        open++;
      }
    }
    CompletableFuture<List<Object>> result = new CompletableFuture<>();
    deadlines.watch(result);
    if (taken == null) {
      connect(commands, result);
    } else {
      send(taken, commands, result);
    }
    return result;
  }

  void close() {
    List<Lone> last;
    synchronized (lock) {
      closed = true;
      last = List.copyOf(idle);
      idle.clear();
    }
    last.forEach(lone -> lone.channel().close());
  }

  private void connect(List<RedisCommand> commands, CompletableFuture<List<Object>> result) {
    Lone lone = new Lone();
    wiring
        .driver()
        .open(server, () -> drop(lone))
        .whenComplete(
            (channel, error) -> {
              if (channel == null) {
                drop(lone);
                result.completeExceptionally(
                    Stages.reason(error == null ? RedisConnectionFailure.closed() : error));
              } else {
                lone.channel = channel;
                send(lone, commands, result);
              }
            });
  }

  private void send(
      Lone lone, List<RedisCommand> commands, CompletableFuture<List<Object>> result) {
    if (result.isDone()) { // connecting took too long: nothing is sent for somebody who has gone
      giveBack(lone);
      return;
    }
    lone.channel()
        .send(commands, wiring.commandTimeout())
        .whenComplete(
            (replies, error) -> {
              // One that waits too long is not given back before: nobody may be behind it.
              if (error == null) {
                giveBack(lone);
                result.complete(replies);
              } else {
                drop(lone);
                result.completeExceptionally(Stages.reason(error));
              }
            });
    result.exceptionally(
        late -> {
          drop(lone); // and its channel is closed, in case that it never answers
          return List.of();
        });
  }

  private void giveBack(Lone lone) {
    boolean unwanted;
    synchronized (lock) {
      unwanted = closed || lone.dropped;
      if (!unwanted) {
        idle.addLast(lone);
      }
    }
    if (unwanted) {
      drop(lone);
    }
  }

  private void drop(Lone lone) {
    synchronized (lock) {
      if (!lone.dropped) {
        lone.dropped = true;
        open--;
        idle.remove(lone);
      }
    }
    RedisChannel channel = lone.channel;
    if (channel != null) {
      channel.close();
    }
  }

  /** One of them. */
  private static final class Lone {
    private volatile @Nullable RedisChannel channel;
    private boolean dropped;

    private RedisChannel channel() {
      RedisChannel made = channel;
      if (made == null) {
        throw new IllegalStateException("asked before it was made");
      }
      return made;
    }
  }
}
