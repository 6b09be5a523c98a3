package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListening;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLSocketFactory;

/**
 * Jedis, as the lock protocol needs it: it blocks. Opening a channel makes its first connection,
 * and commands make more as they need them.
 */
final class JedisDriver implements RedisDriver {
  private static final long CLOSE_TIMEOUT = TimeUnit.SECONDS.toNanos(1);

  private final Function<Endpoint, Connections> source;
  private final Duration connectTimeout;
  private final Set<JedisChannel> channels = ConcurrentHashMap.newKeySet();
  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  JedisDriver(Function<Endpoint, Connections> source, Duration connectTimeout) {
    this.source = source;
    this.connectTimeout = connectTimeout;
  }

  /** With connections of its own. */
  static JedisDriver of(ConnectionSettings settings, int poolSize) {
    Optional<SSLSocketFactory> tls = settings.tls().map(with -> with.context().getSocketFactory());
    return new JedisDriver(
        server -> new OwnConnections(server, settings, tls, poolSize), settings.connectTimeout());
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
          readers.removeIf(reader -> !reader.isAlive());
          readers.add(listening.reader);
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
    long end = System.nanoTime() + CLOSE_TIMEOUT;
    boolean interrupted = false;
    readers.remove(Thread.currentThread());
    while (readers.stream().anyMatch(Thread::isAlive) && end - System.nanoTime() > 0) {
      try {
        for (Thread reader : readers) {
          TimeUnit.NANOSECONDS.timedJoin(reader, end - System.nanoTime());
        }
      } catch (InterruptedException e) {
        interrupted = true; // a closed driver leaves no thread behind
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
