package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.VertxPort.Call;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection. It is closed when nothing was answered on it until a call reached its deadline. */
class Link {
  final Node node;
  final VertxPort port;
  private final RedisConnection connection;
  private boolean over;
  private long answers;

  Link(Node node, RedisConnection connection) {
    this.node = node;
    this.port = node.port;
    this.connection = connection;
    node.links.add(this);
    connection.exceptionHandler(error -> port.run(() -> lost(error)));
    connection.endHandler(end -> port.run(() -> lost(Replies.gone())));
    connection.handler(reply -> port.run(() -> heard(Replies.plain(reply))));
  }

  boolean isOver() {
    return over;
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    if (call.replies().isDone()) { // too late
      return Future.failedFuture(Replies.gone());
    }
    long before = answers;
    if (asking) {
      send(RedisCommand.of("ASKING"));
    }
    List<RedisCommand> all = call.commands();
    Future<List<Object>> replies = // a batch of the driver has none if one is an error
        all.size() == 1
            ? send(all.get(0)).map(Collections::singletonList)
            : Future.all(all.stream().map(this::send).toList()).map(CompositeFuture::list);
    Runnable late =
        () -> {
          if (call.alone() || answers == before) {
            lost(RedisConnectionFailure.timeout(null));
          }
        };
    var unused =
        call.replies()
            .whenComplete(
                (some, error) -> {
                  if (!replies.isComplete()) {
                    port.run(late);
                  }
                });
    return replies;
  }

  private Future<Object> send(RedisCommand command) {
    return connection.send(Replies.request(command)).transform(this::replied);
  }

  private Future<Object> replied(AsyncResult<Response> done) {
    Object reply =
        done.succeeded() ? Replies.plain(done.result()) : Replies.errorReply(done.cause());
    if (done.failed() && reply == null) {
      if (!Replies.isOverload(done.cause())) {
        lost(done.cause()); // it may have broken before it had an end handler
      }
      return Future.failedFuture(done.cause());
    }
    answers++;
    if (reply instanceof RedisErrorReply refused && refused.code().equals("READONLY")) {
      lost(Replies.gone()); // sentinels may know another primary
    }
    return Future.succeededFuture(reply);
  }

  /** Sends a command whose answer is {@linkplain #heard heard}. */
  void tell(String command, byte[] channel) {
    Request request = Replies.request(RedisCommand.of(command, (Object) channel));
    connection.send(request).onFailure(this::lost);
  }

  /** Something has come without having been asked for. */
  void heard(@Nullable Object message) {}

  /** The connection is of no use any more. */
  void lost(Throwable cause) {
    if (!over) {
      end(cause);
      node.lost(this);
    }
  }

  /** Closes the connection. */
  void end(Throwable cause) {
    if (!over) {
      over = true;
      node.links.remove(this);
      discard(connection);
    }
  }

  /** A pool keeps what is closed, silent or not, unless it was used for subscriptions. */
  static void discard(RedisConnection connection) {
    connection.send(Request.cmd(Command.UNSUBSCRIBE)).onComplete(sent -> connection.close());
  }
}
