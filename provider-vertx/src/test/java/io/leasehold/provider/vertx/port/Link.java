package io.leasehold.provider.vertx.port;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.spi.FailureKind;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Response;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection. It is closed when nothing was answered on it until a call reached its deadline.
 * Everything happens on the {@link Loop}, where the driver completes its futures, too.
 */
final class Link {
  private final Loop loop;
  private final Consumer<@Nullable Object> messages;
  private final Promise<Link> opened = Promise.promise();
  private final Promise<Boolean> ended = Promise.promise();
  private final Promise<Void> settled = Promise.promise();
  private final long timer;
  private final Clients clients;
  private @Nullable Redis client;
  private @Nullable RedisConnection connection;
  private boolean over;
  private boolean retired;
  private int pending;
  private long answers;

  /**
   * Connects.
   *
   * @param messages receives what comes without having been asked for
   */
  Link(Loop loop, Clients clients, Consumer<@Nullable Object> messages) {
    this.loop = loop;
    this.clients = clients;
    this.messages = messages;
    this.timer =
        loop.timer(
            loop.port.connectTimeout().toMillis(),
            () -> end(RedisConnectionFailure.unreachable("cannot connect: no answer", null)));
    loop.links.add(this);
    try {
      client = clients.create(loop.vertx);
      client.connect().onComplete(this::connected);
    } catch (RuntimeException e) {
      settled.complete();
      loop.timer(1, () -> end(e)); // later, like any other failure
    }
  }

  /** Completes when commands can be sent. */
  Future<Link> opened() {
    return opened.future();
  }

  /** Completes when it is closed: with true if it was open, and had not to be closed. */
  Future<Boolean> ended() {
    return ended.future();
  }

  /** Completes when the driver is not connecting any more. */
  Future<Void> settled() {
    return settled.future();
  }

  boolean isOpen() {
    return opened.future().succeeded() && usable();
  }

  boolean usable() {
    return !over && !retired;
  }

  private void connected(AsyncResult<RedisConnection> done) {
    settled.complete();
    connection = done.result();
    if (over) {
      close(); // it came late
      return;
    }
    if (connection == null) {
      boolean refused = String.valueOf(done.cause().getMessage()).contains("WRONGPASS");
      if (refused || done.cause() instanceof Response) {
        end(done.cause()); // 5.1 does not close what refused the login
      } else {
        disconnected(done.cause());
      }
      return;
    }
    connection.exceptionHandler(error -> loop.here(() -> end(error)));
    connection.endHandler(end -> loop.here(() -> disconnected(gone())));
    connection.handler(reply -> loop.here(() -> messages.accept(Replies.plain(reply))));
    send(clients.greeting(), new CompletableFuture<>())
        .onSuccess(this::greeted)
        .onFailure(this::end);
  }

  /** There is no connection any more, so the client is free. */
  private void disconnected(Throwable cause) {
    if (client != null && !over) {
      clients.reuse(client);
      client = null;
    }
    end(cause);
  }

  private void greeted(List<Object> replies) {
    for (Object reply : replies) {
      if (reply instanceof RuntimeException refused) {
        end(refused);
      }
    }
    if (opened.tryComplete(this)) {
      loop.vertx.cancelTimer(timer);
      loop.reached = true;
    }
  }

  /**
   * Sends commands one after the other: a batch of the driver has no replies if one is an error.
   *
   * @param deadline when it fails with TIMEOUT, and nothing was answered since, the link ends
   */
  Future<List<Object>> send(List<RedisCommand> commands, CompletableFuture<?> deadline) {
    long before = answers;
    var unused =
        deadline.whenComplete(
            (value, error) -> {
              if (isTimeout(error)) {
                loop.here(() -> endIfSilentSince(before));
              }
            });
    List<Future<Object>> replies = commands.stream().map(this::send).toList();
    return replies.size() == 1
        ? replies.get(0).map(Collections::singletonList)
        : Future.all(replies).map(CompositeFuture::list);
  }

  static boolean isTimeout(@Nullable Throwable error) {
    return error instanceof RedisConnectionFailure failure && failure.kind() == FailureKind.TIMEOUT;
  }

  private Future<Object> send(RedisCommand command) {
    if (connection == null || over) {
      return Future.failedFuture(gone());
    }
    pending++;
    return connection.send(Replies.request(command)).transform(this::replied);
  }

  private Future<Object> replied(AsyncResult<Response> done) {
    pending--;
    if (retired && pending == 0) {
      end(gone());
    }
    Object reply =
        done.succeeded() ? Replies.plain(done.result()) : Replies.errorReply(done.cause());
    if (reply == null && done.failed()) {
      RedisConnectionFailure failure = Replies.failure(done.cause());
      if (failure.kind() != FailureKind.OVERLOADED) {
        end(failure); // it may have broken before it had an end handler
      }
      return Future.failedFuture(loop.reason(failure));
    }
    answers++;
    return Future.succeededFuture(reply);
  }

  private void endIfSilentSince(long before) {
    if (answers == before) {
      end(RedisConnectionFailure.timeout(null));
    }
  }

  /** Sends a command whose answer comes as a message. */
  void tell(RedisCommand command) {
    if (connection != null && !over) {
      connection.send(Replies.request(command)).onFailure(this::end);
    }
  }

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }

  /** Takes no more commands, and ends when all replies have come. */
  void retire() {
    retired = true;
    if (pending == 0) {
      end(gone());
    }
  }

  /** Closes the connection. */
  void end(Throwable cause) {
    if (!over) {
      over = true;
      loop.vertx.cancelTimer(timer);
      close();
      boolean wasOpen = !opened.tryFail(loop.reason(Replies.unreachable(cause)));
      ended.complete(wasOpen && !retired && !loop.closed());
    }
  }

  private void close() {
    if (client != null) {
      clients.close(client, connection);
    }
    if (settled.future().isComplete()) {
      loop.links.remove(this);
    }
  }
}
