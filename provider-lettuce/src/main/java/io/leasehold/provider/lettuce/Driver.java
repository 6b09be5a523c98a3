package io.leasehold.provider.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Lettuce client with its threads, set up for locks: it never sends a command twice, never keeps
 * one for later, and never reconnects by itself. Lettuce's own reconnection would keep a connection
 * that is open but dead; a {@link Link} replaces both kinds.
 */
final class Driver implements AutoCloseable {
  private static final int THREADS = 2;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Settings settings;
  private final HashedWheelTimer timer;
  private final ClientResources resources;
  private final RedisClient client;

  Driver(Settings settings) {
    this.settings = settings;
    // Lettuce's own timer ticks each 100 ms: too coarse for a node timeout of 50 ms.
    this.timer =
        new HashedWheelTimer(
            new DefaultThreadFactory("leasehold-lettuce-timer", true), 10, TimeUnit.MILLISECONDS);
    this.resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .timer(timer)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            // On by default; they would change timeouts and addresses behind our back.
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .requestQueueSize(settings.queueSize())
            .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
            // Nothing here needs RESP3, and its HELLO needs a permission of its own.
            .protocolVersion(ProtocolVersion.RESP2)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(settings.connectTimeout())
                    // A subscription may be silent for hours: let the kernel notice a dead peer.
                    .keepAlive(
                        KeepAliveOptions.builder()
                            .enable()
                            .idle(Duration.ofSeconds(30))
                            .interval(Duration.ofSeconds(5))
                            .count(3)
                            .build())
                    .build())
            .build());
  }

  CompletionStage<StatefulRedisConnection<byte[], byte[]>> connect() {
    return plain(client.connectAsync(ByteArrayCodec.INSTANCE, settings.server()));
  }

  CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
    return plain(client.connectPubSubAsync(ByteArrayCodec.INSTANCE, settings.server()));
  }

  /** Lettuce's own future does not complete what Java 12 added, such as exceptionallyCompose. */
  private static <T> CompletionStage<T> plain(CompletionStage<T> made) {
    CompletableFuture<T> plain = new CompletableFuture<>();
    made.whenComplete(
        (connection, error) -> {
          if (error == null) {
            plain.complete(connection);
          } else {
            plain.completeExceptionally(error);
          }
        });
    return plain;
  }

  /** Closes all connections and ends all threads; waits for them, but not for a server. */
  @Override
  public void close() {
    long millis = CLOSE_TIMEOUT.toMillis();
    boolean interrupted = await(client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS));
    interrupted |= await(resources.shutdown(0, millis, TimeUnit.MILLISECONDS));
    timer.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits in spite of interruption: a closed client leaves no thread behind. */
  private static boolean await(Future<?> end) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    while (true) {
      try {
        end.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        return interrupted; // the threads are daemons and end as soon as they can
      }
    }
  }
}
