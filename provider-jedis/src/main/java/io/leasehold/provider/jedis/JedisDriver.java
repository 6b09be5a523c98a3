package io.leasehold.provider.jedis;

import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListening;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Jedis, as the lock protocol needs it: it blocks. Opening a channel makes its first connection,
 * and commands make more as they need them.
 */
final class JedisDriver implements RedisDriver {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Function<Endpoint, Connections> source;
  private final Duration connectTimeout;
  private final Set<JedisChannel> channels = ConcurrentHashMap.newKeySet();
  private final Set<JedisListening> listenings = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  JedisDriver(Function<Endpoint, Connections> source, Duration connectTimeout) {
    this.source = source;
    this.connectTimeout = connectTimeout;
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public CompletionStage<? extends RedisChannel> open(Endpoint server, Runnable broken) {
    return attempt(
        server,
        channel -> {
          channel.exchange(List.of(), connectTimeout);
          return channel;
        });
  }

  @Override
  public CompletionStage<? extends RedisListening> listen(
      Endpoint server, byte[] topic, RedisListening.Events events) {
    return attempt(
        server,
        channel -> {
          JedisListening listening =
              JedisListening.start(channel, topic, events, connectTimeout, server.toString());
          listenings.removeIf(other -> other.ended().isDone());
          listenings.add(listening);
          return listening;
        });
  }

  private <T> CompletionStage<T> attempt(Endpoint server, Function<JedisChannel, T> use) {
    JedisChannel channel = new JedisChannel(source.apply(server), channels::remove);
    channels.add(channel);
    if (closed) {
      channel.close();
    }
    try {
      return CompletableFuture.completedFuture(use.apply(channel));
    } catch (RuntimeException e) {
      channel.close();
      return CompletableFuture.failedFuture(JedisErrors.ofOpening(e));
    }
  }

  @Override
  public void close() {
    closed = true;
    channels.forEach(JedisChannel::close);
    Ending.await(listenings.stream().map(JedisListening::ended), CLOSE_TIMEOUT);
  }
}
