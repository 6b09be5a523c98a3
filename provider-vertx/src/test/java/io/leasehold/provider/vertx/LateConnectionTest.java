package io.leasehold.provider.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The event loop of a connection may be busy for seconds when the driver is closed: in a JVM that
 * has just started it loads the classes of Vert.x.
 */
class LateConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void anEventLoopThatIsStillToConnectOutlivesTheCloseAndLeavesNoConnection() {
    ConnectionSettings settings =
        ConnectionSettings.of(LockUrl.parse("lock:redis://h?connectTimeout=10s"));
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server)) {
      VertxDriver driver = new VertxDriver(null, settings, VertxLockProvider.net(settings), 10_000);
      EventLoopGroup loops = driver.vertx.nettyEventLoopGroup();
      Map<EventExecutor, CountDownLatch> busy = new HashMap<>();
      loops.forEach(loop -> busy.put(loop, block(loop)));
      var unused = driver.open(Endpoint.data(proxy.host(), proxy.port()), () -> {});
      EventLoop loop = loopOf(driver.channels.iterator().next());
      busy.forEach(
          (other, latch) -> {
            if (other != loop) {
              latch.countDown();
            }
          });

      CompletableFuture<Void> closed = CompletableFuture.runAsync(driver::close);
      await() // close used to end the loops after one second
          .during(Duration.ofMillis(1500))
          .atMost(LONG)
          .untilAsserted(() -> assertThat(loop.isShuttingDown()).isFalse());
      Objects.requireNonNull(busy.get(loop)).countDown();

      await().atMost(LONG).until(loops::isTerminated);
      await().atMost(LONG).until(() -> proxy.openConnections() == 0);
      assertThat(closed).succeedsWithin(LONG);
    }
  }

  private static CountDownLatch block(EventExecutor loop) {
    CountDownLatch end = new CountDownLatch(1);
    loop.execute(
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return end;
  }

  private static EventLoop loopOf(VertxChannel channel) {
    return ((ContextInternal) channel.context).nettyEventLoop();
  }
}
