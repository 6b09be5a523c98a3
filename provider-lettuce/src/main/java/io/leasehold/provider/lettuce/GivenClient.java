package io.leasehold.provider.lettuce;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisNodes;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.Partitions;
import java.util.Set;
import java.util.function.Supplier;

/** A provider of one node, on servers that a client of the application's reaches. */
final class GivenClient implements LockProvider {
  /** Where the servers are and how to log in is not among them: the client knows. */
  private static final Set<OptionKey<?>> OPTIONS =
      Set.of(
          Options.FENCE_RETENTION,
          Options.LAYOUT,
          Options.GUARD,
          Options.MIN_REPLICAS,
          Options.REPLICA_TIMEOUT,
          Options.CONNECT,
          Options.CONNECT_TIMEOUT,
          LettuceLockProvider.QUEUE_SIZE);

  private record Way(RedisServers servers, Supplier<Connector> connector) {}

  private final Supplier<Way> way;

  private GivenClient(Supplier<Way> way) {
    this.way = way;
  }

  static GivenClient of(RedisClient client, RedisURI uri) {
    RedisServers servers =
        uri.getSentinels().isEmpty()
            ? RedisServers.one(endpoint(uri))
            : RedisServers.foundByDriver(endpoint(uri.getSentinels().get(0)));
    return new GivenClient(() -> new Way(servers, () -> new Connector.Given(client, uri)));
  }

  static GivenClient of(RedisClusterClient client) {
    return new GivenClient(
        () -> {
          Partitions known = client.getPartitions();
          return new Way(
              RedisServers.cluster(known.stream().map(node -> endpoint(node.getUri())).toList()),
              () -> OwnClient.besides(client, known.getPartition(0).getUri()));
        });
  }

  @Override
  public String name() {
    return LettuceLockProvider.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("client");
  }

  @Override
  public Set<OptionKey<?>> options() {
    return OPTIONS;
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    Way found;
    try {
      found = way.get();
    } catch (RedisException e) {
      throw new NodeUnavailableException(
          "cluster", new Failed(FailureKind.UNREACHABLE, "the client finds no node of it", e));
    }
    return RedisNodes.open(
        name(),
        url,
        found.servers(),
        context,
        () ->
            new LettuceDriver(
                found.connector().get(),
                url.get(Options.CONNECT_TIMEOUT),
                url.get(LettuceLockProvider.QUEUE_SIZE)));
  }

  /** For messages, where the URI names a socket instead of a host. */
  private static Endpoint endpoint(RedisURI uri) {
    return uri.getHost() == null
        ? Endpoint.data("localhost", 0)
        : Endpoint.data(uri.getHost(), uri.getPort());
  }
}
