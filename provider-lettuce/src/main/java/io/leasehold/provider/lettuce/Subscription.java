package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisSubscriber;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A channel that is listened to on a connection of its own, over all its reconnections. */
final class Subscription {
  private final Driver driver;
  private final ProviderContext context;
  private final byte[] channel;
  private final RedisSubscriber subscriber;
  private final Link<StatefulRedisPubSubConnection<byte[], byte[]>> link;
  private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

  Subscription(Driver driver, ProviderContext context, byte[] channel, RedisSubscriber subscriber) {
    this.driver = driver;
    this.context = context;
    this.channel = channel;
    this.subscriber = subscriber;
    this.link = new Link<>(context, this::connect, subscriber::restored);
  }

  /** Subscribes; the stage completes within the timeout. After a failure this must be closed. */
  CompletionStage<?> open(Duration timeout) {
    Scheduler.Task deadline =
        context
            .scheduler()
            .schedule(
                () ->
                    confirmed.completeExceptionally(
                        new RedisConnectionFailure(
                            FailureKind.TIMEOUT, "no subscription within the timeout", null)),
                timeout.toNanos());
    link.open()
        .whenComplete(
            (opened, error) -> {
              deadline.cancel();
              if (error == null) {
                confirmed.complete(true);
              } else {
                confirmed.completeExceptionally(LettuceErrors.unwrap(error));
              }
            });
    return confirmed;
  }

  /** Ends it; a pending {@link #open} fails. Does not wait. */
  void close() {
    link.close();
    confirmed.completeExceptionally(Link.closed());
  }

  /** As {@link #close}, for when the driver is about to close all connections anyway. */
  void end() {
    link.end();
    confirmed.completeExceptionally(Link.closed());
  }

  /** Finds out whether the server still answers here, and makes a new connection if not. */
  void probe() {
    Link.Live<StatefulRedisPubSubConnection<byte[], byte[]>> live;
    try {
      live = link.current();
    } catch (RuntimeException down) {
      return; // a new connection is being made already
    }
    live.connection()
        .async()
        .ping()
        .whenComplete(
            (pong, error) -> {
              if (error instanceof RedisCommandTimeoutException) {
                link.replace(live, Link.silent());
              }
            });
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
                        Link.discard(connection);
                        return CompletableFuture.failedStage(error);
                      });
            });
  }
}
