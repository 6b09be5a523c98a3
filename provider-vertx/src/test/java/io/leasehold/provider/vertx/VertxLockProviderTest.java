package io.leasehold.provider.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VertxLockProviderTest {
  private final LockProviders providers =
      LockProviders.load(VertxLockProviderTest.class.getClassLoader());
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
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
    Redis client = Redis.createClient(vertx);
    LockProvider clients = VertxLockProvider.using(client);
    LockProvider options = VertxLockProvider.using(vertx, new RedisOptions());
    for (LockProvider given : List.of(clients, options)) {
      assertThat(given.name()).isEqualTo("vertx");
      assertThat(given.schemes()).containsExactly("client");
      assertThat(given.options())
          .contains(VertxLockProvider.QUEUE_SIZE, Options.GUARD, Options.CONNECT_TIMEOUT)
          .doesNotContain(Options.MASTER_NAME, Options.TLS_CA);
    }
    assertThat(clients.options()).doesNotContain(new OptionKey<?>[] {Options.CLIENT_NAME});
    assertThat(options.options()).contains(Options.CLIENT_NAME);
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
              () -> new VertxLockProvider().open(LockUrl.parse("lock:" + url), noContext()))
          .as(url)
          .isInstanceOf(InvalidConfigurationException.class);
    }
  }

  @Test
  void aClientForAClusterIsRefusedInClearWords() {
    Redis client = Redis.createClient(vertx, new RedisOptions().setType(RedisClientType.CLUSTER));
    assertThatThrownBy(
            () ->
                VertxLockProvider.using(client)
                    .open(LockUrl.parse("lock:client://given"), noContext()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("CLUSTER")
        .hasMessageContaining("using(vertx, options)");
  }

  @Test
  void aClientForSentinelsMayFindAnotherPrimary() {
    assertThat(new LentClient(Redis.createClient(vertx)).servers().failOver()).isFalse();
    for (RedisClientType type : List.of(RedisClientType.SENTINEL, RedisClientType.REPLICATION)) {
      Redis client = Redis.createClient(vertx, new RedisOptions().setType(type));
      assertThat(new LentClient(client).servers().topology())
          .isEqualTo(RedisServers.Topology.FOUND_BY_DRIVER);
    }
  }

  @Test
  void theOptionsOfAClientSayWhereTheServersAre() {
    RedisOptions options =
        new RedisOptions()
            .setEndpoints(
                List.of("redis://app:s3%40cret@a:7000/3", "valkey://b", "redis://[::1]:1"));
    assertThat(new GivenOptions(vertx, options).servers())
        .isEqualTo(RedisServers.one(Endpoint.data("a", 7000)));
    assertThat(new GivenOptions(vertx, options.setType(RedisClientType.CLUSTER)).servers())
        .isEqualTo(
            RedisServers.cluster(
                List.of(
                    Endpoint.data("a", 7000), Endpoint.data("b", 6379), Endpoint.data("::1", 1))));
    RedisServers sentinels =
        new GivenOptions(vertx, options.setType(RedisClientType.SENTINEL).setMasterName("m"))
            .servers();
    assertThat(sentinels.topology()).isEqualTo(RedisServers.Topology.SENTINEL);
    assertThat(sentinels.endpoints()).contains(Endpoint.sentinel("a", 7000));
    assertThat(sentinels.masterName()).isEqualTo("m");
    assertThatThrownBy(
            () -> new GivenOptions(vertx, options.setType(RedisClientType.REPLICATION)).servers())
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("REPLICATION");
  }

  @Test
  void theOptionsOfAClientSayHowToConnect() {
    ConnectionSettings url =
        ConnectionSettings.of(LockUrl.parse("lock:client://given?clientName=me"));
    RedisOptions options =
        new RedisOptions().setConnectionString("redis://app:s3%40cret@a/3").setPassword("other");
    ConnectionSettings settings = new GivenOptions(vertx, options).settings(url);
    assertThat(settings.user()).hasValue("app");
    assertThat(settings.password().orElseThrow().reveal()).isEqualTo("s3@cret");
    assertThat(settings.database()).isEqualTo(3);
    assertThat(settings.clientName()).hasValue("me");
    assertThat(new GivenOptions(vertx, options).net().isSsl()).isFalse();
    assertThat(new GivenOptions(vertx, options.setConnectionString("rediss://a")).net().isSsl())
        .isTrue();
    ConnectionSettings plain = new GivenOptions(vertx, options.setUser("u")).settings(url);
    assertThat(plain.user()).hasValue("u");
    assertThat(plain.password().orElseThrow().reveal()).isEqualTo("other");
  }

  @Test
  void anEndpointThatIsNotForLocksIsRefusedWithoutItsSecret() {
    for (String endpoint : List.of("unix:///tmp/s3cr3t", "redis://h?password=s3cr3t")) {
      assertThatThrownBy(
              () ->
                  new GivenOptions(vertx, new RedisOptions().setConnectionString(endpoint))
                      .servers())
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageNotContaining("s3cr3t");
    }
  }

  /** For tests that end before a context is needed. */
  private static ProviderContext noContext() {
    return (ProviderContext)
        Proxy.newProxyInstance(
            VertxLockProviderTest.class.getClassLoader(),
            new Class<?>[] {ProviderContext.class},
            (proxy, method, args) -> {
              throw new AssertionError("not needed: " + method);
            });
  }
}
