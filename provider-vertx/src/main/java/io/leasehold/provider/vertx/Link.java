package io.leasehold.provider.vertx;

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
  private final Promise<Link> opened = Promise.promise();
  private @Nullable RedisConnection connection;
  private boolean over;
  private boolean retired;
  private boolean subscribed;
  private long answers;

  /** Begins to connect. */
  Link(Node node) {
    this.node = node;
    this.port = node.nodes.port;
    node.links.add(this);
    port.run(
        () ->
            Future.succeededFuture(node)
                .compose(this::connect)
                .onSuccess(this::open)
                .onFailure(this::failed));
  }

  private Future<Link> connect(Node to) {
    Future<RedisConnection> connecting = to.connect();
    port.connecting.add(connecting);
    return connecting
        .onComplete(done -> port.connecting.remove(connecting))
        .compose(this::connected)
        .timeout(port.context.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  private Future<Link> connected(RedisConnection made) {
    connection = made;
    if (over) { // it came late
      close();
    }
    made.exceptionHandler(error -> port.run(() -> lost(error)));
    made.endHandler(end -> port.run(() -> lost(gone())));
    made.handler(reply -> port.run(() -> heard(Replies.plain(reply))));
    return sendAll(node.nodes.clients.greeting()).map(this::greeted);
  }

  private Link greeted(List<Object> replies) {
    for (Object reply : replies) {
      if (reply instanceof RedisErrorReply refused) {
        throw refused;
      }
    }
    return this;
  }

  /** Commands can be sent. */
  void open(Link self) {
    opened.tryComplete(self);
  }

  private void failed(Throwable error) {
    boolean silent = error instanceof TimeoutException; // and the driver would wait for ever
    boolean refused = // and 5.1 does not close the connection
        error instanceof Response || String.valueOf(error.getMessage()).contains("WRONGPASS");
    if (silent || refused) {
      node.reset();
    }
    lost(Replies.unreachable(error));
  }

  /** Whether it takes calls, now or when it is open. */
  boolean isUsable() {
    return !over && !retired;
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    return opened
        .future()
        .compose(
            open -> {
              if (call.replies.isDone()) {
                return Future.failedFuture(gone());
              }
              long before = answers;
              call.late = () -> late(call, before);
              if (asking) {
                send(RedisCommand.of("ASKING"));
              }
              return sendAll(call.commands);
            });
  }

  /** One after the other: a batch of the driver has no replies if one is an error. */
  private Future<List<Object>> sendAll(List<RedisCommand> commands) {
    return commands.size() == 1
        ? send(commands.get(0)).map(Collections::singletonList)
        : Future.all(commands.stream().map(this::send).toList()).map(CompositeFuture::list);
  }

  private Future<Object> send(RedisCommand command) {
    return connection == null || over
        ? Future.failedFuture(gone())
        : connection.send(Replies.request(command)).transform(this::replied);
  }

  private Future<Object> replied(AsyncResult<Response> done) {
    Object reply =
        done.succeeded() ? Replies.plain(done.result()) : Replies.errorReply(done.cause());
    if (reply == null && done.failed()) {
      if (!Replies.isOverload(done.cause())) {
        lost(done.cause()); // it may have broken before it had an end handler
      }
      return Future.failedFuture(done.cause());
    }
    answers++;
    if (reply instanceof RedisErrorReply e && e.code().equals("READONLY") && isUsable()) {
      retire();
      node.lost(this);
    }
    return Future.succeededFuture(reply);
  }

  private void late(Call call, long before) {
    if (call.alone || answers == before) {
      if (!call.alone) {
        node.reset();
      }
      lost(RedisConnectionFailure.timeout(null));
    }
  }

  /** Sends a command whose answer is {@linkplain #heard heard}. */
  void tell(RedisCommand command) {
    if (connection != null && !over) {
      subscribed = true;
      connection.send(Replies.request(command)).onFailure(this::lost);
    }
  }

  /** Something has come without having been asked for. */
  void heard(@Nullable Object message) {}

  /** Takes no more calls, and closes the connection when those have ended that were made. */
  void retire() {
    retired = true;
    port.timer(port.context.commandTimeout(), () -> end(gone()));
  }

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

  /** Closes the connection. */
  void end(Throwable cause) {
    if (!over) {
      over = true;
      node.links.remove(this);
      close();
      ended(cause);
    }
  }

  /** The connection is closed. */
  void ended(Throwable cause) {
    opened.tryFail(cause);
  }

  private void close() {
    RedisConnection last = connection;
    if (last != null && node.client != null) { // or it was closed with its client
      // A pool keeps what is closed, silent or not, unless it was used for subscriptions.
      (subscribed ? Future.succeededFuture() : last.send(Request.cmd(Command.UNSUBSCRIBE)))
          .onComplete(sent -> last.close());
    }
  }

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }
}
