package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A connection that subscribes to one channel. */
final class LettuceListening
    extends LettuceConnection<StatefulRedisPubSubConnection<byte[], byte[]>>
    implements RedisListening {
  private final byte[] channel;
  private final boolean hearShard;

  LettuceListening(
      StatefulRedisPubSubConnection<byte[], byte[]> connection,
      Set<LettuceConnection<?>> open,
      byte[] channel,
      Events events) {
    super(connection, open, events::broken);
    this.channel = channel;
    this.hearShard = events.hearShard();
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(byte[] from, byte[] payload) {
            events.message(payload);
          }

          @Override
          public void smessage(byte[] from, byte[] payload) {
            events.message(payload);
          }
        });
  }

  @Override
  CompletionStage<?> prepare() {
    CompletionStage<Void> heard = connection.async().subscribe(channel);
    return hearShard ? heard.thenCompose(confirmed -> hearShard()) : heard;
  }

  private CompletionStage<Void> hearShard() {
    return connection
        .async()
        .ssubscribe(channel)
        .exceptionallyCompose(
            error ->
                LettuceErrors.ofCommand(error) instanceof RedisErrorReply refused
                        && RedisListening.isWithoutShard(refused)
                    ? CompletableFuture.allOf()
                    : CompletableFuture.failedStage(error));
  }

  @Override
  public CompletionStage<?> probe(Duration within) {
    try {
      return answer(connection.async().ping());
    } catch (RuntimeException e) { // the client is being closed
      return CompletableFuture.failedFuture(failure(e));
    }
  }
}
