package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Secret;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.Optional;

/** What the options of an application's client say about servers and connections. */
record GivenOptions(Vertx vertx, RedisOptions options) implements RedisLockProvider.Client {

  @Override
  public RedisDriver driver(LockUrl url) {
    ConnectionSettings settings = settings(ConnectionSettings.of(url));
    return new VertxDriver(vertx, settings, net(), url.get(VertxLockProvider.QUEUE_SIZE));
  }

  @Override
  public RedisServers servers() {
    List<Endpoint> data =
        options.getEndpoints().stream()
            .map(text -> endpoint(text).hosts().get(0))
            .map(host -> Endpoint.data(host.host(), host.portOr(6379)))
            .toList();
    return switch (options.getType()) {
      case STANDALONE -> RedisServers.one(data.get(0));
      case CLUSTER -> RedisServers.cluster(data);
      case SENTINEL ->
          new RedisServers(
              RedisServers.Topology.SENTINEL,
              data.stream().map(at -> Endpoint.sentinel(at.host(), at.port())).toList(),
              options.getMasterName());
      case REPLICATION ->
          throw VertxLockProvider.unsupported(
              "Options of type REPLICATION do not say which server may keep locks: use sentinels,"
                  + " or STANDALONE with the endpoint of the primary");
    };
  }

  ConnectionSettings settings(ConnectionSettings url) {
    LockUrl first = endpoint(options.getEndpoint());
    return new ConnectionSettings(
        first.user().or(() -> Optional.ofNullable(options.getUser())),
        first.password().or(() -> Optional.ofNullable(options.getPassword()).map(Secret::new)),
        first.database().orElse(0),
        url.clientName(),
        url.connectTimeout(),
        url.commandTimeout(),
        Optional.empty()); // that is the network's
  }

  NetClientOptions net() {
    NetClientOptions net = new NetClientOptions(options.getNetClientOptions());
    return net.setSsl(net.isSsl() || endpoint(options.getEndpoint()).scheme().equals("rediss"));
  }

  /** Vert.x writes endpoints as they are written here. */
  private static LockUrl endpoint(String text) {
    LockUrl url = LockUrl.parse("lock:" + text.replaceFirst("^valkey", "redis"));
    if (!url.scheme().matches("rediss?") || !url.optionNames().isEmpty()) {
      throw VertxLockProvider.unsupported(
          "The endpoints of options for locks are redis:// or rediss://, without parameters");
    }
    return url;
  }
}
