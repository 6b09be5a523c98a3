package io.leasehold.provider.vertx;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A connection for messages.
 *
 * <p>A probe subscribes again to what is subscribed to already, and the server confirms it again.
 * With PING, the driver would take a message that comes before the answer for the answer.
 */
final class VertxListening extends VertxChannel implements RedisListening {
  private final byte[] channel;
  private final Events events;

  /** Who waits for a confirmation, in the order of the requests; belongs to the context. */
  private final Queue<CompletableFuture<Void>> unconfirmed = new ArrayDeque<>();

  VertxListening(VertxDriver driver, Endpoint server, byte[] channel, Events events) {
    super(driver, server, events::broken);
    this.channel = channel.clone();
    this.events = events;
  }

  @Override
  public CompletionStage<?> probe(Duration within) {
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    use(confirmed, connection -> subscribe(connection, Command.SUBSCRIBE, confirmed));
    return confirmed;
  }

  @Override
  Future<?> begin(RedisConnection connection) {
    connection.handler(reply -> here(() -> heard(reply)));
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    subscribe(connection, Command.SUBSCRIBE, confirmed);
    Future<?> heard = Future.fromCompletionStage(confirmed);
    if (!events.hearShard()) {
      return heard;
    }
    CompletableFuture<Void> shard = new CompletableFuture<>();
    subscribe(connection, Command.SSUBSCRIBE, shard);
    return heard.compose(
        done ->
            Future.fromCompletionStage(shard)
                .recover(
                    error ->
                        error instanceof RedisErrorReply refused
                                && RedisListening.isWithoutShard(refused)
                            ? Future.succeededFuture()
                            : Future.failedFuture(error)));
  }

  @Override
  void end(Throwable cause) {
    super.end(cause);
    unconfirmed.forEach(waiting -> waiting.completeExceptionally(reason(VertxErrors.gone())));
  }

  private void subscribe(
      RedisConnection connection, Command command, CompletableFuture<Void> confirmed) {
    unconfirmed.add(confirmed);
    // Its future tells that it was written; the confirmation comes as a message.
    connection.send(Request.cmd(command).arg(channel)).onFailure(this::end);
  }

  private void heard(Response reply) {
    boolean refused = reply.type() == ResponseType.ERROR;
    String kind = refused ? "" : String.valueOf(reply.get(0));
    if (kind.equals("message") || kind.equals("smessage")) {
      events.message(reply.get(2).toBytes());
    } else if (refused || kind.equals("subscribe") || kind.equals("ssubscribe")) {
      CompletableFuture<Void> first = unconfirmed.remove();
      if (refused) {
        first.completeExceptionally(new RedisErrorReply(reply.toString()));
      } else {
        first.complete(null);
      }
    }
  }
}
