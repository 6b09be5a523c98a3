package io.leasehold.provider.lettuce;

import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListening;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Connections of Lettuce. Only close blocks; stages complete on Lettuce's threads. */
final class LettuceDriver implements RedisDriver {
  private final Connector connector;
  private final Duration connectTimeout;
  private final int queueSize;
  private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();
  private final Set<Attempt> connecting = ConcurrentHashMap.newKeySet();
  private final Set<LettuceConnection<?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  LettuceDriver(Connector connector, Duration connectTimeout, int queueSize) {
    this.connector = connector;
    this.connectTimeout = connectTimeout;
    this.queueSize = queueSize;
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<? extends RedisChannel> open(Endpoint server, Runnable broken) {
    return make(
        server,
        uri -> connector.client().connectAsync(ByteArrayCodec.INSTANCE, uri),
        connection ->
            new LettuceChannel(
                connection, open, connector.outboxes().apply(connection), queueSize, broken));
  }

  @Override
  public CompletionStage<? extends RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events) {
    return make(
        server,
        uri -> connector.client().connectPubSubAsync(ByteArrayCodec.INSTANCE, uri),
        connection -> new LettuceListening(connection, open, channel, events));
  }

  @Override
  public void close() {
    closed = true;
    pending.forEach(Runnable::run);
    // An event loop that ends while it begins to connect forgets the socket, which then stays open
    // for as long as the JVM and the server live.
    Ending.await(connecting.stream().map(attempt -> attempt.settled), Connector.CLOSE_TIMEOUT);
    List<LettuceConnection<?>> last = List.copyOf(open);
    last.forEach(LettuceConnection::close);
    // Or a client that is shut down would close them once more, and complain.
    Ending.await(last.stream().map(LettuceConnection::gone), Connector.CLOSE_TIMEOUT);
    connector.ending().run();
  }

  /** Makes a connection ready within the connect timeout; one that is not handed out is closed. */
  private <C, T extends LettuceConnection<?>> CompletionStage<T> make(
      Endpoint server, Function<RedisURI, CompletionStage<C>> connect, Function<C, T> wrap) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletionStage<T> stage = result;
    Runnable cancel = () -> result.completeExceptionally(RedisConnectionFailure.closed());
    pending.add(cancel);
    stage.whenComplete((made, error) -> pending.remove(cancel));
    Attempt attempt = new Attempt();
    connecting.add(attempt); // first: who closes either is seen here, or sees this
    try {
      if (closed) {
        throw RedisConnectionFailure.closed();
      }
      CompletionStage<C> connected = connect.apply(connector.uris().apply(server));
      // Lettuce bounds each step: looking up the host, connecting, TLS, the greeting.
      ScheduledExecutorService clock = connector.client().getResources().eventExecutorGroup();
      Runnable late = () -> fail(result, new TimeoutException("not within the connect timeout"));
      Future<?> deadline = clock.schedule(late, connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
      stage.whenComplete((made, error) -> deadline.cancel(false));
      connected.whenComplete(
          (connection, error) -> {
            if (error == null) {
              prepare(wrap.apply(connection), result, stage);
            } else {
              fail(result, error);
            }
            settle(attempt);
          });
    } catch (RuntimeException e) { // closed, or the client that was handed in is
      fail(result, e);
      settle(attempt);
    }
    return stage;
  }

  /** Lettuce's attempt to connect, which goes on when nobody wants its result any more. */
  private static final class Attempt {
    final CompletableFuture<Boolean> settled = new CompletableFuture<>();
  }

  private void settle(Attempt attempt) {
    connecting.remove(attempt);
    attempt.settled.complete(true);
  }

  private <T extends LettuceConnection<?>> void prepare(
      T made, CompletableFuture<T> result, CompletionStage<T> stage) {
    stage.whenComplete(
        (same, error) -> {
          if (error != null) {
            made.close();
          }
        });
    made.prepare()
        .whenComplete(
            (ready, error) -> {
              if (error != null) {
                fail(result, error);
              } else if (result.complete(made)) {
                made.watch();
              }
            });
  }

  private void fail(CompletableFuture<?> result, Throwable error) {
    result.completeExceptionally(
        closed ? RedisConnectionFailure.closed() : LettuceErrors.ofConnecting(error));
  }
}
