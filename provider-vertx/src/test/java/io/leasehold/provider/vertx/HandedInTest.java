package io.leasehold.provider.vertx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisListening;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With what an application hands in: it is used, it is not closed, and its threads do not wait. */
class HandedInTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final byte[] CHANNEL = "wake".getBytes(StandardCharsets.US_ASCII);

  private final RedisServer server = RedisServer.start();
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final AtomicInteger broken = new AtomicInteger();
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final RedisListening.Events events =
      new RedisListening.Events() {
        @Override
        public void message(byte[] payload) {
          messages.add(new String(payload, StandardCharsets.US_ASCII));
        }

        @Override
        public void broken() {
          broken.incrementAndGet();
        }
      };

  @AfterEach
  void close() throws Exception {
    get(vertx.close().toCompletionStage());
    server.close();
  }

  @Test
  void theApplicationsVertxIsUsedAndStaysOpen() throws Exception {
    VertxDriver driver = onVertx("redis://h?clientName=mine");
    RedisChannel channel = get(driver.open(endpoint(), broken::incrementAndGet));
    assertThat(ping(channel)).isEqualTo("PONG");
    driver.close();
    await().until(() -> !clients().contains("name=mine"));
    CompletableFuture<String> alive = new CompletableFuture<>();
    vertx.setTimer(1, id -> alive.complete("yes"));
    assertThat(get(alive)).isEqualTo("yes");
    assertThat(broken).hasValue(0);
  }

  @Test
  void aChannelThatWasOpenedByAVerticleOutlivesIt() throws Exception {
    VertxDriver driver = onVertx("redis://h");
    CompletableFuture<RedisChannel> opened = new CompletableFuture<>();
    String id =
        get(
            vertx
                .deployVerticle(
                    new AbstractVerticle() {
                      @Override
                      public void start() {
                        driver
                            .open(endpoint(), broken::incrementAndGet)
                            .thenAccept(opened::complete);
                      }
                    })
                .toCompletionStage());
    RedisChannel channel = get(opened);
    get(vertx.undeploy(id).toCompletionStage());
    assertThat(ping(channel)).isEqualTo("PONG");
    assertThat(broken).hasValue(0);
    driver.close();
  }

  @Test
  void aWorkerMayWaitForItsReply() throws Exception {
    VertxDriver driver = onVertx("redis://h");
    Callable<String> blocking = () -> ping(get(driver.open(endpoint(), broken::incrementAndGet)));
    assertThat(get(vertx.executeBlocking(blocking).toCompletionStage())).isEqualTo("PONG");
    driver.close();
  }

  @Test
  void nothingBlocksAnEventLoop() throws Exception {
    VertxDriver driver = onVertx("redis://h?connectTimeout=2s");
    try (FaultyProxy proxy = FaultyProxy.to(server)) {
      Endpoint through = Endpoint.data(proxy.host(), proxy.port());
      RedisChannel channel = get(driver.open(through, broken::incrementAndGet));
      RedisListening listening = get(driver.listen(through, CHANNEL, events));
      proxy.blackHole();
      CompletableFuture<Duration> took = new CompletableFuture<>();
      vertx.runOnContext(
          ignored -> {
            assertThat(Context.isOnEventLoopThread()).isTrue();
            long start = System.nanoTime();
            var opening = driver.open(through, broken::incrementAndGet);
            var subscribing = driver.listen(through, CHANNEL, events);
            var unknown = driver.open(Endpoint.data("no-such-host.invalid", 1), () -> {});
            var sent = channel.send(List.of(RedisCommand.of("PING")), LONG);
            var probed = listening.probe(LONG);
            channel.close();
            listening.close();
            driver.close();
            took.complete(Duration.ofNanos(System.nanoTime() - start));
            assertThat(List.of(opening, subscribing, unknown, sent, probed)).hasSize(5);
          });
      assertThat(get(took)).isLessThan(LONG.dividedBy(2));
      proxy.heal();
      await().until(() -> proxy.openConnections() == 0);
    }
  }

  @Test
  void tooManyCommandsAreRefusedAndNoneOfThemIsSent() throws Exception {
    VertxDriver driver =
        new VertxDriver(
            vertx, settings("redis://h"), VertxLockProvider.net(settings("redis://h")), 10);
    try (FaultyProxy proxy = FaultyProxy.to(server)) {
      RedisChannel channel =
          get(driver.open(Endpoint.data(proxy.host(), proxy.port()), broken::incrementAndGet));
      proxy.blackHole();
      RedisCommand count = RedisCommand.of("INCR", "count");
      var first = channel.send(List.of(count, count, count, count, count, count), LONG);
      var second = channel.send(List.of(count, count, count, count, count), LONG);
      assertThat(kind(second)).isEqualTo(FailureKind.OVERLOADED);
      proxy.heal();
      assertThat(get(first)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(get(channel.send(List.of(count), LONG))).containsExactly(7L);
    }
    driver.close();
  }

  @Test
  void aClientLendsConnectionsAndStaysOpen() throws Exception {
    for (boolean resp3 : new boolean[] {true, false}) {
      Redis client = client(new RedisOptions().setProtocolNegotiation(resp3).setMaxPoolSize(2));
      VertxDriver driver = new VertxDriver(client, settings("client://given"), 100);
      RedisChannel channel = get(driver.open(endpoint(), broken::incrementAndGet));
      RedisListening listening = get(driver.listen(endpoint(), CHANNEL, events));
      assertThat(ping(channel)).isEqualTo("PONG");
      Object info = get(channel.send(List.of(RedisCommand.of("INFO", "server")), LONG)).get(0);
      assertThat(new String((byte[]) info, StandardCharsets.UTF_8)).startsWith("# Server");
      Object config =
          get(channel.send(List.of(RedisCommand.of("CONFIG", "GET", "maxmemory-policy")), LONG))
              .get(0);
      assertThat(((List<?>) config).stream().map(item -> new String((byte[]) item, UTF_8)))
          .containsExactly("maxmemory-policy", "noeviction");
      for (int i = 0; i < 3; i++) {
        get(listening.probe(LONG));
        get(channel.send(List.of(RedisCommand.of("PUBLISH", CHANNEL, "m" + i)), LONG));
      }
      await().until(() -> messages.size() == 3);
      driver.close();
      assertThat(
              get(client.send(Request.cmd(Command.PING)).map(String::valueOf).toCompletionStage()))
          .isEqualTo("PONG");
      assertThat(kind(channel.send(List.of(RedisCommand.of("PING")), LONG)))
          .isEqualTo(FailureKind.CLOSED);
      get(client.close().toCompletionStage());
      assertThat(messages).containsExactly("m0", "m1", "m2");
      messages.clear();
    }
    assertThat(broken).hasValue(0);
  }

  @Test
  void aLentConnectionThatFellSilentIsNotGivenBackToThePool() throws Exception {
    try (FaultyProxy proxy = FaultyProxy.to(server)) {
      Redis client =
          Redis.createClient(
              vertx,
              new RedisOptions()
                  .setConnectionString("redis://" + proxy.host() + ":" + proxy.port())
                  .setMaxPoolSize(1));
      VertxDriver driver = new VertxDriver(client, settings("client://given"), 100);
      RedisChannel channel = get(driver.open(endpoint(), broken::incrementAndGet));
      proxy.blackHole();
      var lost = channel.send(List.of(RedisCommand.of("PING")), LONG);
      channel.close();
      assertThat(kind(lost)).isEqualTo(FailureKind.CLOSED);
      proxy.heal();
      await().until(() -> proxy.openConnections() == 0);
      assertThat(ping(get(driver.open(endpoint(), broken::incrementAndGet)))).isEqualTo("PONG");
      assertThat(proxy.connections()).isEqualTo(2);
      driver.close();
    }
  }

  @Test
  void anExhaustedPoolIsUnreachableInTime() throws Exception {
    Redis client = client(new RedisOptions().setMaxPoolSize(1));
    VertxDriver driver =
        new VertxDriver(client, settings("client://given?connectTimeout=300ms"), 9);
    RedisChannel channel = get(driver.open(endpoint(), broken::incrementAndGet));
    assertThat(kind(driver.open(endpoint(), broken::incrementAndGet)))
        .isEqualTo(FailureKind.UNREACHABLE);
    assertThat(ping(channel)).isEqualTo("PONG");
    driver.close();
  }

  @Test
  void aLentConnectionThatBreaksIsReportedOnce() throws Exception {
    VertxDriver driver = new VertxDriver(client(new RedisOptions()), settings("client://given"), 9);
    RedisChannel channel = get(driver.open(endpoint(), broken::incrementAndGet));
    server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await().until(() -> broken.get() == 1);
    assertThat(kind(channel.send(List.of(RedisCommand.of("PING")), LONG)))
        .isIn(FailureKind.UNREACHABLE, FailureKind.CONNECTION_LOST);
    assertThat(ping(get(driver.open(endpoint(), broken::incrementAndGet)))).isEqualTo("PONG");
    driver.close();
    assertThat(broken).hasValue(1);
  }

  private VertxDriver onVertx(String url) {
    return new VertxDriver(vertx, settings(url), VertxLockProvider.net(settings(url)), 10_000);
  }

  private Redis client(RedisOptions options) {
    return Redis.createClient(
        vertx, options.setConnectionString("redis://" + server.host() + ":" + server.port()));
  }

  private static ConnectionSettings settings(String url) {
    return ConnectionSettings.of(LockUrl.parse("lock:" + url));
  }

  private Endpoint endpoint() {
    return Endpoint.data(server.host(), server.port());
  }

  private String clients() {
    return String.valueOf(server.command("CLIENT", "LIST"));
  }

  private static String ping(RedisChannel channel) throws Exception {
    Object reply = get(channel.send(List.of(RedisCommand.of("PING")), LONG)).get(0);
    return new String((byte[]) reply, StandardCharsets.US_ASCII);
  }

  private static FailureKind kind(CompletionStage<?> stage) throws Exception {
    try {
      get(stage);
    } catch (ExecutionException e) {
      return ((RedisConnectionFailure) Objects.requireNonNull(e.getCause())).kind();
    }
    throw new AssertionError("must fail");
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
  }
}
