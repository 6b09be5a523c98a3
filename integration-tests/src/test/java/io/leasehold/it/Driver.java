package io.leasehold.it;

import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.util.Locale;
import java.util.stream.Collectors;

/** The drivers, and how a URL that names one is written. */
public enum Driver {
  JEDIS,
  LETTUCE,
  VERTX;

  /** The name by which a URL pins it. */
  public String provider() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** One server. */
  public String url(RedisServer server, String... options) {
    return at(server.port(), options);
  }

  /** Whatever listens at a port of this machine. */
  public String at(int port, String... options) {
    return url("redis", "127.0.0.1:" + port, options);
  }

  /** The primary that sentinels name. */
  public String url(RedisSentinels set, String... options) {
    String sentinels =
        set.sentinelAddresses().stream()
            .map(address -> address.getHostString() + ":" + address.getPort())
            .collect(Collectors.joining(","));
    return url("redis-sentinel", sentinels, options)
        + (options.length == 0 ? "?" : "&")
        + "masterName="
        + set.masterName();
  }

  /** A cluster. */
  public String url(RedisCluster cluster, String... options) {
    String nodes =
        cluster.nodes().stream()
            .map(node -> "127.0.0.1:" + node.port())
            .collect(Collectors.joining(","));
    return url("redis-cluster", nodes, options);
  }

  /** Anything, in full. */
  public String url(String scheme, String authority, String... options) {
    return "lock:"
        + provider()
        + ":"
        + scheme
        + "://"
        + authority
        + (options.length == 0 ? "" : "?" + String.join("&", options));
  }
}
