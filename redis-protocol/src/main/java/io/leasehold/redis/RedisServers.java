package io.leasehold.redis;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.util.List;
import java.util.Locale;

/**
 * Which servers keep the locks, and how the one that serves a name is found.
 *
 * @param topology how they work together
 * @param endpoints where to begin: the one server, the sentinels, or some nodes of the cluster
 * @param masterName what the sentinels call the primary; empty with any other topology
 */
public record RedisServers(Topology topology, List<Endpoint> endpoints, String masterName) {

  /** How servers work together. */
  public enum Topology {
    /** One server, at a fixed address. */
    STANDALONE,
    /** A primary with replicas; sentinels say which is which. */
    SENTINEL,
    /** As SENTINEL, but the driver finds the primary itself: every endpoint means the primary. */
    FOUND_BY_DRIVER,
    /** Names are spread over several primaries by slot. */
    CLUSTER;

    /** How spans and metrics call it: who found the primary makes no difference to them. */
    String label() {
      return (this == FOUND_BY_DRIVER ? SENTINEL : this).name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int SENTINEL_PORT = 26379;

  /** The schemes that {@link #of} understands. */
  public static final List<String> SCHEMES =
      List.of(
          "redis",
          "rediss",
          "redis-sentinel",
          "rediss-sentinel",
          "redis-cluster",
          "rediss-cluster");

  /** One server. */
  public static RedisServers one(Endpoint server) {
    return new RedisServers(Topology.STANDALONE, List.of(server), "");
  }

  /** A primary that the driver finds by itself. */
  public static RedisServers foundByDriver(Endpoint label) {
    return new RedisServers(Topology.FOUND_BY_DRIVER, List.of(label), "");
  }

  /** A cluster of which some nodes are known. */
  public static RedisServers cluster(List<Endpoint> some) {
    return new RedisServers(Topology.CLUSTER, List.copyOf(some), "");
  }

  /**
   * What a URL means.
   *
   * @throws InvalidConfigurationException naming what is missing or too much
   */
  public static RedisServers of(LockUrl url) {
    return switch (url.scheme()) {
      case "redis", "rediss" -> {
        refuseMasterName(url);
        if (url.hosts().size() != 1) {
          throw unsupported(
              "host",
              ("%1$s:// means one server, but the URL lists %2$d hosts; for a quorum of servers write"
                      + " lock:redlock:%1$s://…, for a cluster %1$s-cluster://…")
                  .formatted(url.scheme(), url.hosts().size()));
        }
        yield one(endpoints(url, Endpoint.Kind.DATA, RedisOptions.DEFAULT_PORT).get(0));
      }
      case "redis-sentinel", "rediss-sentinel" ->
          new RedisServers(
              Topology.SENTINEL,
              endpoints(url, Endpoint.Kind.SENTINEL, SENTINEL_PORT),
              url.given(Options.MASTER_NAME)
                  .filter(name -> !name.isBlank())
                  .orElseThrow(
                      () ->
                          unsupported(
                              Options.MASTER_NAME.name(),
                              "Sentinels watch primaries by name: add the option"
                                  + " 'masterName', for example masterName=mymaster")));
      case "redis-cluster", "rediss-cluster" -> {
        refuseMasterName(url);
        if (url.database().orElse(0) != 0) {
          throw unsupported(
              "database", "A Redis cluster has no other database than 0: leave it out of the URL");
        }
        yield cluster(endpoints(url, Endpoint.Kind.DATA, RedisOptions.DEFAULT_PORT));
      }
      default -> throw unsupported("scheme", "The scheme " + url.scheme() + " is not one of Redis");
    };
  }

  /** Whether another server may take over from the one that serves a name. */
  public boolean failOver() {
    return topology != Topology.STANDALONE;
  }

  private static void refuseMasterName(LockUrl url) {
    if (url.given(Options.MASTER_NAME).isPresent()) {
      throw unsupported(
          Options.MASTER_NAME.name(),
          "The option 'masterName' is for redis-sentinel:// and rediss-sentinel:// alone");
    }
  }

  private static List<Endpoint> endpoints(LockUrl url, Endpoint.Kind kind, int port) {
    return url.hosts().stream()
        .map(host -> new Endpoint(host.host(), host.portOr(port), kind))
        .toList();
  }

  private static InvalidConfigurationException unsupported(String key, String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, key, message);
  }
}
