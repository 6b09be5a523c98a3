package io.leasehold.it.topology;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.provider.jedis.JedisLockProvider;
import io.leasehold.provider.lettuce.LettuceLockProvider;
import io.leasehold.provider.vertx.VertxLockProvider;
import io.leasehold.spi.LockProvider;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisRole;
import io.vertx.redis.client.Request;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** A client that an application has already, and uses for other things than locks, too. */
final class HandedClient implements AutoCloseable {
  private final LockProvider provider;
  private final Optional<String> url;
  private final Supplier<String> ping;
  private final Runnable end;

  /** The ways to one server. */
  enum ToOneServer {
    JEDIS,
    JEDIS_CONNECTIONS,
    LETTUCE,
    VERTX,
    VERTX_CLIENT,
    VERTX_OPTIONS;

    HandedClient open(RedisServer server) {
      return switch (this) {
        case JEDIS -> {
          var client = redis.clients.jedis.RedisClient.create(server.host(), server.port());
          yield new HandedClient(JedisLockProvider.using(client), client::ping, client::close);
        }
        case JEDIS_CONNECTIONS ->
            jedis(
                new PooledConnectionProvider(
                    new HostAndPort(server.host(), server.port()), jedisConfig()));
        case LETTUCE -> lettuce(RedisURI.create(server.host(), server.port()));
        case VERTX -> vertx(uri(server), options(uri(server)));
        case VERTX_CLIENT -> vertxClient(options(uri(server)));
        case VERTX_OPTIONS -> vertxOptions(options(uri(server)));
      };
    }
  }

  /** The ways to the primary that sentinels name. */
  enum ToSentinels {
    JEDIS,
    JEDIS_CONNECTIONS,
    LETTUCE,
    VERTX,
    VERTX_CLIENT,
    VERTX_OPTIONS;

    HandedClient open(RedisSentinels set) {
      Set<HostAndPort> addresses =
          set.sentinelAddresses().stream()
              .map(at -> new HostAndPort(at.getHostString(), at.getPort()))
              .collect(Collectors.toSet());
      return switch (this) {
        case JEDIS -> {
          var client =
              RedisSentinelClient.builder()
                  .masterName(set.masterName())
                  .sentinels(addresses)
                  .build();
          yield new HandedClient(JedisLockProvider.using(client), client::ping, client::close);
        }
        case JEDIS_CONNECTIONS ->
            jedis(
                new SentineledConnectionProvider(
                    set.masterName(), jedisConfig(), addresses, jedisConfig()));
        case LETTUCE -> {
          RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(set.masterName());
          set.sentinelAddresses().forEach(at -> uri.withSentinel(at.getHostString(), at.getPort()));
          yield lettuce(uri.build());
        }
        case VERTX ->
            vertx(
                "redis-sentinel://"
                    + set.sentinelAddresses().stream()
                        .map(at -> at.getHostString() + ":" + at.getPort())
                        .collect(Collectors.joining(","))
                    + "?masterName="
                    + set.masterName(),
                sentinels(set));
        case VERTX_CLIENT -> vertxClient(sentinels(set));
        case VERTX_OPTIONS -> vertxOptions(sentinels(set));
      };
    }

    private static RedisOptions sentinels(RedisSentinels set) {
      RedisOptions options =
          new RedisOptions()
              .setType(RedisClientType.SENTINEL)
              .setRole(RedisRole.MASTER)
              .setMasterName(set.masterName());
      set.sentinels().forEach(sentinel -> options.addConnectionString(uri(sentinel)));
      return options;
    }
  }

  /** The ways to a cluster. */
  enum ToCluster {
    JEDIS,
    JEDIS_CONNECTIONS,
    LETTUCE,
    VERTX,
    VERTX_OPTIONS;

    HandedClient open(RedisCluster cluster) {
      RedisServer first = cluster.nodes().get(0); // it tells where the others are
      return switch (this) {
        case JEDIS -> {
          var client =
              redis.clients.jedis.RedisClusterClient.create(
                  Set.of(new HostAndPort(first.host(), first.port())));
          yield new HandedClient(
              JedisLockProvider.using(client), () -> client.set("used", "PONG"), client::close);
        }
        case JEDIS_CONNECTIONS ->
            jedis(
                new ClusterConnectionProvider(
                    Set.of(new HostAndPort(first.host(), first.port())), jedisConfig()));
        case LETTUCE -> {
          RedisClusterClient client =
              RedisClusterClient.create(RedisURI.create(first.host(), first.port()));
          yield new HandedClient(
              LettuceLockProvider.using(client),
              () -> {
                try (var connection = client.connect()) {
                  return connection.sync().set("used", "PONG");
                }
              },
              client::close);
        }
        case VERTX ->
            vertx("redis-cluster://" + first.host() + ":" + first.port(), options(uri(first)));
        case VERTX_OPTIONS -> vertxOptions(options(uri(first)).setType(RedisClientType.CLUSTER));
      };
    }
  }

  private HandedClient(LockProvider provider, Supplier<String> ping, Runnable end) {
    this(provider, Optional.empty(), ping, end);
  }

  private HandedClient(
      LockProvider provider, Optional<String> url, Supplier<String> ping, Runnable end) {
    this.provider = provider;
    this.url = url;
    this.ping = ping;
    this.end = end;
  }

  /** Opens locks on it. */
  LocksBuilder locks() {
    LocksBuilder builder = Locks.builder().provider(provider);
    url.ifPresent(servers -> builder.url("lock:" + servers));
    return builder;
  }

  /** What the application does with it besides; PONG or OK. */
  String use() {
    return ping.get();
  }

  @Override
  public void close() {
    end.run();
  }

  private static JedisClientConfig jedisConfig() {
    return DefaultJedisClientConfig.builder().build();
  }

  private static HandedClient jedis(ConnectionProvider connections) {
    return new HandedClient(
        JedisLockProvider.using(connections),
        () -> {
          try (Connection connection = connections.getConnection()) {
            return connection.ping() ? "PONG" : "nothing";
          }
        },
        () -> {
          try {
            connections.close();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static HandedClient lettuce(RedisURI uri) {
    RedisClient client = RedisClient.create();
    return new HandedClient(
        LettuceLockProvider.using(client, uri),
        () -> {
          try (var connection = client.connect(uri)) {
            return connection.sync().ping();
          }
        },
        client::close);
  }

  private static HandedClient vertx(String url, RedisOptions options) {
    Vertx vertx = Vertx.vertx();
    Redis client = Redis.createClient(vertx, options);
    return new HandedClient(
        VertxLockProvider.using(vertx), Optional.of(url), () -> ping(client), () -> close(vertx));
  }

  private static HandedClient vertxClient(RedisOptions options) {
    Vertx vertx = Vertx.vertx();
    Redis client = Redis.createClient(vertx, options);
    return new HandedClient(
        VertxLockProvider.using(client), () -> ping(client), () -> close(vertx));
  }

  private static HandedClient vertxOptions(RedisOptions options) {
    Vertx vertx = Vertx.vertx();
    Redis client = Redis.createClient(vertx, options);
    return new HandedClient(
        VertxLockProvider.using(vertx, options), () -> ping(client), () -> close(vertx));
  }

  private static String ping(Redis client) {
    return client
        .send(Request.cmd(Command.PING))
        .toCompletionStage()
        .toCompletableFuture()
        .join()
        .toString();
  }

  private static void close(Vertx vertx) {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static RedisOptions options(String uri) {
    return new RedisOptions().setConnectionString(uri);
  }

  private static String uri(RedisServer server) {
    return "redis://" + server.host() + ":" + server.port();
  }
}
