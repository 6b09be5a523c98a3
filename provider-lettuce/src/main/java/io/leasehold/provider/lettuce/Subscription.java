package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisSubscriber;
import io.leasehold.spi.ProviderContext;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A channel that is listened to on a connection of its own, over all its reconnections. */
final class Subscription {
  private final Driver driver;
  private final byte[] channel;
  private final RedisSubscriber subscriber;
  private final Link<StatefulRedisPubSubConnection<byte[], byte[]>> link;

  Subscription(
      Driver driver, ProviderContext context, byte[] channel, RedisSubscriber subscriber) {
    this.driver = driver;
    this.channel = channel;
    this.subscriber = subscriber;
    this.link = new Link<>(context, this::connect, subscriber::restored);
  }

  Link<StatefulRedisPubSubConnection<byte[], byte[]>> link() {
    return link;
  }

  private CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connect() {
    return driver
        .connectPubSub()
        .thenCompose(
            connection -> {
              connection.addListener(
                  new RedisPubSubAdapter<>() {
                    @Override
                    public void message(byte[] from, byte[] payload) {
                      subscriber.message(payload);
                    }
                  });
              return connection
                  .async()
                  .subscribe(channel)
                  .thenApply(confirmed -> connection)
                  .exceptionallyCompose(
                      error -> {
                        connection.closeAsync();
                        return CompletableFuture.failedStage(error);
                      });
            });
  }

  /** Finds out whether the server still answers here, and makes a new connection if not. */
  void probe() {}
}
