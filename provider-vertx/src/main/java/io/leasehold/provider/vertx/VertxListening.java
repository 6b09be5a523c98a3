package io.leasehold.provider.vertx;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.Hearing;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.time.Duration;
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
  private final Hearing hearing;

  VertxListening(VertxDriver driver, Endpoint server, byte[] channel, Events events) {
    super(driver, server, events::broken);
    this.channel = channel.clone();
    this.events = events;
    this.hearing = new Hearing(events, this::end);
  }

  @Override
  public CompletionStage<?> probe(Duration within) {
    CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
    use(confirmed, made -> subscribe(made, Command.SUBSCRIBE, confirmed));
    return confirmed;
  }

  @Override
  Future<?> begin(RedisConnection connection) {
    connection.handler(reply -> here(() -> hearing.heard(plain(reply))));
    Future<Boolean> heard = subscribe(connection, Command.SUBSCRIBE, new CompletableFuture<>());
    if (!events.hearShard()) {
      return heard;
    }
    Future<Boolean> shard = subscribe(connection, Command.SSUBSCRIBE, new CompletableFuture<>());
    return heard.compose(
        done ->
            shard.recover(
                error ->
                    error instanceof RedisErrorReply refused
                            && RedisListening.isWithoutShard(refused)
                        ? Future.succeededFuture()
                        : Future.failedFuture(error)));
  }

  @Override
  void end(Throwable cause) {
    super.end(cause);
    hearing.ended(reason(VertxErrors.gone()));
  }

  private Future<Boolean> subscribe(
      RedisConnection connection, Command command, CompletableFuture<Boolean> confirmed) {
    hearing.asking(Word.CONFIRMED, confirmed);
    // Its future tells that it was written; the confirmation comes as a message.
    connection.send(Request.cmd(command).arg(channel)).onFailure(this::end);
    return Future.fromCompletionStage(confirmed);
  }
}
