package io.leasehold.provider.vertx;

import static io.leasehold.provider.vertx.PortTestContext.LONG;
import static io.leasehold.provider.vertx.PortTestContext.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.RedisServers;
import io.leasehold.spi.Described;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VertxLockProviderTest {
  private static final LockUrl GIVEN = LockUrl.parse("lock:client://given?connect=lazy");

  private final LockProviders providers =
      LockProviders.load(VertxLockProviderTest.class.getClassLoader());

  /** With one event loop, so that whatever blocks it is seen. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void close() {
    get(vertx.close().toCompletionStage());
    server.close();
  }

  private String address() {
    return "redis://" + server.host() + ":" + server.port();
  }

  private RedisOptions options() {
    return new RedisOptions().addConnectionString(address() + "?client=app");
  }

  private long connections(String what) {
    return String.valueOf(server.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(what))
        .count();
  }

  @Test
  void theProviderIsFoundForEverySchemeOfRedis() {
    for (String scheme : RedisServers.SCHEMES) {
      LockProvider found = providers.select(LockUrl.parse("lock:" + scheme + "://h"));
      assertThat(found).isInstanceOf(VertxLockProvider.class);
      assertThat(found.name()).isEqualTo("vertx");
    }
    assertThat(VertxLockProvider.using(vertx).schemes()).hasSameElementsAs(RedisServers.SCHEMES);
  }

  @Test
  void itUnderstandsTheCommonOptionsAndTheSizeOfItsQueue() {
    assertThat(new VertxLockProvider().options())
        .containsAll(io.leasehold.redis.RedisOptions.COMMON)
        .contains(VertxLockProvider.QUEUE_SIZE);
    assertThat(LockUrl.parse("lock:redis://h").get(VertxLockProvider.QUEUE_SIZE)).isEqualTo(10_000);
    assertThat(VertxLockProvider.QUEUE_SIZE.name()).isEqualTo("vertx.queueSize");
  }

  @Test
  void whatAClientHasDecidedIsNotAnOptionAnyMore() {
    for (LockProvider given :
        List.of(
            VertxLockProvider.using(Redis.createClient(vertx)),
            VertxLockProvider.using(vertx, new RedisOptions()))) {
      assertThat(given.name()).isEqualTo("vertx");
      assertThat(given.schemes()).containsExactly("client");
      assertThat(given.options())
          .contains(Options.GUARD, Options.CONNECT_TIMEOUT)
          .doesNotContain(
              new OptionKey<?>[] {
                Options.MASTER_NAME,
                Options.TLS_CA,
                Options.CLIENT_NAME,
                VertxLockProvider.QUEUE_SIZE
              });
    }
  }

  @Test
  void wrongSettingsComeBeforeConnections() {
    for (String url :
        List.of(
            "redis://a,b",
            "redis-sentinel://h",
            "redis://h?tlsVerify=off",
            "redis://h?clientName=")) {
      assertThatThrownBy(
              () -> new VertxLockProvider().open(LockUrl.parse("lock:" + url), new TestContext()))
          .as(url)
          .isInstanceOf(InvalidConfigurationException.class);
    }
  }

  @Test
  void whatDoesNotLeadToPrimariesIsRefused() {
    Redis cluster = Redis.createClient(vertx, options().setType(RedisClientType.CLUSTER));
    assertThatThrownBy(() -> VertxLockProvider.using(cluster))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("CLUSTER")
        .hasMessageContaining("Vertx and its RedisOptions");
    RedisOptions replication = options().setType(RedisClientType.REPLICATION);
    assertThatThrownBy(() -> VertxLockProvider.using(vertx, replication))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("REPLICATION");
    RedisOptions unreadable = new RedisOptions().addConnectionString("redis://:s3cr3t@a b");
    assertThatThrownBy(() -> VertxLockProvider.using(vertx, unreadable))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasNoCause()
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void aClientForSentinelsMayFindAnotherPrimary() {
    for (RedisClientType type : RedisClientType.values()) {
      if (type != RedisClientType.CLUSTER) {
        Redis client = Redis.createClient(vertx, options().setType(type));
        LockNode node = VertxLockProvider.using(client).open(GIVEN, new TestContext());
        assertThat(((Described) node).description().topology())
            .isEqualTo(type == RedisClientType.STANDALONE ? "standalone" : "sentinel");
        node.close();
      }
    }
  }

  @Test
  void aUrlIsCustomisedInTheWordsOfTheDriver() {
    server.command("CONFIG", "SET", "protected-mode", "no"); // which means 127.0.0.1 alone
    CompletableFuture<RedisOptions> seen = new CompletableFuture<>();
    LockProvider provider =
        VertxLockProvider.configured(
            settings -> {
              seen.complete(new RedisOptions(settings.options()));
              settings.options().getNetClientOptions().setLocalAddress("127.0.0.2");
            });
    LockUrl url =
        LockUrl.parse(
            "lock:" + address() + "/3?clientName=me&vertx.queueSize=77&connectTimeout=9s");
    LockNode node = provider.open(url, new TestContext());
    assertThat(connections(" addr=127.0.0.2:")).isEqualTo(connections(" name=me ")).isPositive();
    node.close();
    assertThat(get(seen).getEndpoints()).containsExactly(address());
    assertThat(get(seen).getMaxWaitingHandlers()).isEqualTo(77);
    assertThat(get(seen).getNetClientOptions().getConnectTimeout()).isEqualTo(9_000);
  }

  @Test
  void locksWorkOnTheEventLoopOfAnApplicationWhoseVertxIsLeftAlone() {
    Redis client = Redis.createClient(vertx, options());
    LockUrl lazy = LockUrl.parse("lock:" + address() + "?connect=lazy&clientName=app");
    for (Callable<LockNode> opening :
        List.<Callable<LockNode>>of(
            () -> VertxLockProvider.using(vertx).open(lazy, new TestContext()),
            () -> VertxLockProvider.using(vertx, options()).open(GIVEN, new TestContext()),
            () -> VertxLockProvider.using(client).open(GIVEN, new TestContext()))) {
      LockNode node = get(onLoop(() -> CompletableFuture.completedStage(opening.call())));
      IdentityReply answer = get(onLoop(node::identity));
      assertThat(answer).isInstanceOf(Identity.class);
      assertThat(connections(" name=app ")).isEqualTo(1);
      get(onLoop(() -> close(node)));
      await().atMost(LONG).until(() -> connections(" name=app ") == 0);
      assertThat(get(onLoop(() -> CompletableFuture.completedStage(true)))).isTrue();
    }
    Request ping = Request.cmd(Command.PING);
    assertThat(get(client.send(ping).toCompletionStage())).hasToString("PONG");
  }

  @Test
  void aClientIsHandedInOnAnyThread() {
    Redis client = Redis.createClient(vertx, options());
    get(onLoop(() -> works(client)));
    get(
        vertx
            .executeBlocking(
                () -> {
                  assertThat(Context.isOnWorkerThread()).isTrue();
                  return get(works(client));
                })
            .toCompletionStage());
    get(works(client));
  }

  private static CompletionStage<IdentityReply> works(Redis client) {
    LockNode node = VertxLockProvider.using(client).open(GIVEN, new TestContext());
    return node.identity()
        .thenApply(
            answer -> {
              assertThat(answer).isInstanceOf(Identity.class);
              return answer;
            });
  }

  private static CompletionStage<Boolean> close(LockNode node) {
    node.close();
    return CompletableFuture.completedStage(true);
  }

  /** Begins something on the event loop, which must not wait for it. */
  private <T> CompletionStage<T> onLoop(Callable<CompletionStage<T>> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    vertx.runOnContext(
        go -> {
          try {
            assertThat(Context.isOnEventLoopThread()).isTrue();
            task.call()
                .whenComplete(
                    (value, error) -> {
                      if (error == null) {
                        result.complete(value);
                      } else {
                        result.completeExceptionally(error);
                      }
                    });
          } catch (Exception | AssertionError e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
