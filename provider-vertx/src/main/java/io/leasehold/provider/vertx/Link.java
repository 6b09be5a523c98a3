package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.VertxPort.Call;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection. It is closed when nothing was answered on it until a call reached its deadline. */
class Link {
  private static final String FULL = "Redis waiting queue is full";

  final Node node;
  boolean over;
  private final RedisConnection connection;
  private long answers;

  Link(Node node, RedisConnection connection) {
    this.node = node;
    this.connection = connection;
    connection.exceptionHandler(error -> node.port.run(() -> lost(error)));
    connection.endHandler(end -> node.port.run(() -> lost(gone())));
    connection.handler(reply -> node.port.run(() -> heard(plain(reply))));
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    if (call.replies.isDone()) { // too late
      return Future.failedFuture(gone());
    }
    long before = answers;
    call.late =
        () -> {
          if (answers - before < (call.alone ? call.commands.size() : 1)) {
            RedisConnectionFailure timeout = RedisConnectionFailure.timeout(null);
            call.replies.completeExceptionally(timeout); // or it would be CONNECTION_LOST
            lost(timeout);
          }
        };
    if (asking) {
      send(RedisCommand.of("ASKING"));
    }
    return call.commands.size() == 1 // a batch of the driver has no replies if one is an error
        ? send(call.commands.get(0)).map(Collections::singletonList)
        : Future.all(call.commands.stream().map(this::send).toList()).map(CompositeFuture::list);
  }

  private Future<Object> send(RedisCommand command) {
    Request request = Request.cmd(Command.create(command.name()), command.args().toArray());
    return connection.send(request).transform(this::replied);
  }

  private Future<Object> replied(AsyncResult<Response> done) {
    Object reply = done.succeeded() ? plain(done.result()) : errorReply(done.cause());
    if (done.failed() && reply == null) {
      if (!FULL.equals(done.cause().getMessage())) {
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
  void tell(Command command, byte[] channel) {
    connection.send(Request.cmd(command, channel)).onFailure(this::lost);
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
      node.port.connections.removeIf(each -> each.result() == connection);
      var unused = this instanceof Subscription ? connection.close() : discard(connection);
    }
  }

  /** A pool keeps what is closed, silent or not, unless it was used for subscriptions. */
  static Future<Void> discard(RedisConnection connection) {
    return connection.send(Request.cmd(Command.UNSUBSCRIBE)).transform(x -> connection.close());
  }

  private static @Nullable Object plain(@Nullable Response reply) {
    return reply == null
        ? null
        : switch (reply.type()) {
          case BULK -> reply.toBytes();
          case NUMBER -> reply.toLong();
          case ERROR -> new RedisErrorReply(reply.toString());
          case MULTI, PUSH -> list(reply);
          // The driver reads lines as Latin-1, whatever they are: this gives the bytes.
          default -> reply.toString().getBytes(StandardCharsets.ISO_8859_1);
        };
  }

  private static List<@Nullable Object> list(Response reply) {
    List<@Nullable Object> items = new ArrayList<>(reply.size());
    if (reply.isMap()) { // of RESP3, which an application's client may speak
      for (String key : reply.getKeys()) {
        Collections.addAll(items, key.getBytes(StandardCharsets.UTF_8), plain(reply.get(key)));
      }
    } else {
      reply.forEach(item -> items.add(plain(item)));
    }
    return items;
  }

  /** The server's error, if that is what it is: so are some failures of the connection. */
  static @Nullable RedisErrorReply errorReply(Throwable error) {
    String message = String.valueOf(error.getMessage());
    boolean failure = message.equals("CONNECTION_CLOSED") || message.startsWith("ILLEGAL_STATE ");
    if (message.contains("ommand is not valid")) { // not sent; and it quotes the arguments
      return new RedisErrorReply("ERR wrong number of arguments");
    }
    return error instanceof Response && !failure ? new RedisErrorReply(message) : null;
  }

  /** Why a call failed. What is not known not to have been sent may have been. */
  static RuntimeException failure(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return (RuntimeException) error;
    } else if (error instanceof IllegalArgumentException) { // may quote a URL with a password
      return RedisConnectionFailure.unreachable("the driver cannot read the address", null);
    }
    return switch (String.valueOf(error.getMessage())) {
      case FULL -> RedisConnectionFailure.overloaded();
      case "Connection is closed" -> gone();
      default -> RedisConnectionFailure.lost(error);
    };
  }

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }

  /** Of one subscriber. To subscribe again shows whether it is alive, and the driver allows it. */
  static final class Subscription extends Link {
    private static final long PROBE_MILLIS = 10_000;

    final Promise<Boolean> confirmed = Promise.promise();
    private final byte[] channel;
    private final Subscriber subscriber;
    private int awaited;
    private long timer;

    Subscription(Node node, RedisConnection connection, byte[] channel, Subscriber subscriber) {
      super(node, connection);
      this.channel = channel.clone();
      this.subscriber = subscriber;
      subscribe();
    }

    private void subscribe() {
      long millis = node.port.context.commandTimeout().toMillis();
      timer = node.port.vertx.setTimer(millis, id -> lost(gone()));
      awaited = subscriber.sharded() ? 2 : 1;
      tell(Command.SUBSCRIBE, channel);
      if (subscriber.sharded()) {
        tell(Command.SSUBSCRIBE, channel);
      }
    }

    private void answered() {
      if (--awaited == 0) {
        node.port.vertx.cancelTimer(timer);
        timer = node.port.vertx.setTimer(PROBE_MILLIS, id -> subscribe());
        confirmed.tryComplete(true);
      }
    }

    @Override
    void heard(@Nullable Object message) {
      if (message instanceof RedisErrorReply refused) {
        if (subscriber.sharded() && !refused.code().equals("NOPERM")) {
          answered(); // before Redis 7 there are no shards, and the slot may be elsewhere
        } else {
          end(refused);
        }
      } else if (message instanceof List<?> said) {
        switch (new String((byte[]) said.get(0), StandardCharsets.US_ASCII)) {
          case "message", "smessage" -> subscriber.message((byte[]) said.get(2));
          case "subscribe", "ssubscribe" -> answered();
          case "sunsubscribe" -> lost(gone()); // the slot has moved away
          default -> {}
        }
      }
    }

    @Override
    void end(Throwable cause) {
      super.end(cause);
      node.port.vertx.cancelTimer(timer);
      boolean wanted = node.subscriptions.values().removeIf(each -> each.result() == this);
      if (!confirmed.tryFail(cause) && wanted && !node.port.closed) {
        subscriber.interrupted();
      }
    }
  }
}
