package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.VertxPort.Call;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection. It is closed when nothing was answered on it until a call reached its deadline. */
class Link {
  final Node node;
  final VertxPort port;
  boolean over;
  private final Promise<RedisConnection> opened = Promise.promise();
  private Future<RedisConnection> connecting = Future.failedFuture(gone());
  private boolean subscribed;
  private long answers;

  /** Begins to connect. */
  Link(Node node) {
    this.node = node;
    this.port = node.nodes.port;
    node.links.add(this);
    port.run(
        () ->
            Future.succeededFuture()
                .compose(ready -> over ? connecting : connect())
                .onSuccess(this::open)
                .onFailure(this::failed));
  }

  private Future<RedisConnection> connect() {
    connecting = node.connect();
    port.connecting.add(connecting);
    return connecting
        .onComplete(done -> port.connecting.remove(connecting))
        .compose(made -> sendAll(made, node.nodes.clients.greeting()).map(this::checked).map(made))
        .timeout(port.context.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  private List<Object> checked(List<Object> replies) {
    for (Object reply : replies) {
      if (reply instanceof RedisErrorReply refused) {
        throw refused;
      }
    }
    return replies;
  }

  /** Commands can be sent. */
  void open(RedisConnection made) {
    made.exceptionHandler(error -> port.run(() -> lost(error)));
    made.endHandler(end -> port.run(() -> lost(gone())));
    made.handler(reply -> port.run(() -> heard(Replies.plain(reply))));
    opened.tryComplete(made);
  }

  private void failed(Throwable error) {
    // The driver waits for ever for a silent server, and 5.1 does not close what refused a login.
    String why = String.valueOf(error.getMessage());
    if (error instanceof TimeoutException || error instanceof Response || why.contains("WRONGP")) {
      node.reset();
    }
    lost(Replies.unreachable(error));
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    return opened.future().compose(open -> send(open, call, asking, answers));
  }

  private Future<List<Object>> send(RedisConnection open, Call call, boolean asking, long before) {
    if (call.replies().isDone()) { // too late
      return Future.failedFuture(gone());
    }
    if (asking) {
      send(open, RedisCommand.of("ASKING"));
    }
    Future<List<Object>> replies = sendAll(open, call.commands());
    Runnable late =
        () -> {
          if (call.alone() || answers == before) {
            lost(RedisConnectionFailure.timeout(null));
          }
        };
    var unused =
        call.replies()
            .whenComplete(
                (all, error) -> {
                  if (!replies.isComplete()) {
                    port.run(late);
                  }
                });
    return replies;
  }

  /** One after the other: a batch of the driver has no replies if one is an error. */
  private Future<List<Object>> sendAll(RedisConnection to, List<RedisCommand> commands) {
    return commands.size() == 1
        ? send(to, commands.get(0)).map(Collections::singletonList)
        : Future.all(commands.stream().map(each -> send(to, each)).toList())
            .map(CompositeFuture::list);
  }

  private Future<Object> send(RedisConnection to, RedisCommand command) {
    return to.send(Replies.request(command)).transform(this::replied);
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
      lost(gone()); // sentinels may know another primary
    }
    return Future.succeededFuture(reply);
  }

  /** Sends a command whose answer is {@linkplain #heard heard}. */
  void tell(RedisCommand command) {
    subscribed = true;
    opened.future().compose(open -> open.send(Replies.request(command))).onFailure(this::lost);
  }

  /** Something has come without having been asked for. */
  void heard(@Nullable Object message) {}

  /** The connection is of no use any more. */
  void lost(Throwable cause) {
    if (!over) {
      end(cause);
      if (opened.future().succeeded()) {
        node.lost(this);
      }
      node.nodes.refresh();
    }
  }

  /** Closes the connection, or the one that is being made. */
  void end(Throwable cause) {
    if (!over) {
      over = true;
      node.links.remove(this);
      connecting.onSuccess(this::close);
      opened.tryFail(cause);
      ended(cause);
    }
  }

  private void close(RedisConnection made) {
    if (node.client != null) { // or it was closed with its client
      // A pool keeps what is closed, silent or not, unless it was used for subscriptions.
      (subscribed ? Future.succeededFuture() : made.send(Request.cmd(Command.UNSUBSCRIBE)))
          .onComplete(sent -> made.close());
    }
  }

  /** The connection is closed. */
  void ended(Throwable cause) {}

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }
}
