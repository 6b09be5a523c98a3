package io.leasehold.provider.lettuce;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.Options;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.function.Supplier;

/** A client of the application's: where its servers are, and how connections are made by it. */
record GivenClient(Supplier<RedisServers> where, Supplier<Connector> connector)
    implements RedisLockProvider.Client {

  static GivenClient of(RedisClient client, RedisURI uri) {
    RedisServers servers =
        uri.getSentinels().isEmpty()
            ? RedisServers.one(endpoint(uri))
            : RedisServers.foundByDriver(endpoint(uri.getSentinels().get(0)));
    return new GivenClient(() -> servers, () -> Connector.given(client, uri));
  }

  static GivenClient of(RedisClusterClient client) {
    return new GivenClient(
        () ->
            RedisServers.cluster(
                client.getPartitions().stream().map(node -> endpoint(node.getUri())).toList()),
        () -> Connector.besides(client, client.getPartitions().getPartition(0).getUri()));
  }

  @Override
  public RedisServers servers() {
    try {
      return where.get();
    } catch (RedisException e) {
      throw new NodeUnavailableException(
          "cluster", new Failed(FailureKind.UNREACHABLE, "the client finds no node of it", e));
    }
  }

  @Override
  public RedisDriver driver(LockUrl url) {
    return new LettuceDriver(
        connector.get(), url.get(Options.CONNECT_TIMEOUT), url.get(LettuceLockProvider.QUEUE_SIZE));
  }

  /** For messages, where the URI names a socket instead of a host. */
  private static Endpoint endpoint(RedisURI uri) {
    return uri.getHost() == null
        ? Endpoint.data("localhost", 0)
        : Endpoint.data(uri.getHost(), uri.getPort());
  }
}
