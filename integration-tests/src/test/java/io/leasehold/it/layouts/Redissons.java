package io.leasehold.it.layouts;

import io.leasehold.testkit.RedisCluster;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;

/** Clients of Redisson, with its defaults but for the number of threads and connections. */
final class Redissons {
  private static final Duration WATCH_DOG = Duration.ofSeconds(30);

  private Redissons() {}

  static RedissonClient at(int port) {
    return at(port, WATCH_DOG);
  }

  /**
   * @param watchDog how long a lease is that its watch dog renews
   */
  static RedissonClient at(int port, Duration watchDog) {
    Config config = new Config();
    config.setThreads(2).setNettyThreads(2).setLockWatchdogTimeout(watchDog.toMillis());
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + port)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(8)
        .setSubscriptionConnectionPoolSize(4);
    return Redisson.create(config);
  }

  static RedissonClient on(RedisCluster cluster) {
    Config config = new Config();
    config.setThreads(2).setNettyThreads(2);
    ClusterServersConfig servers = config.useClusterServers();
    servers
        .setMasterConnectionMinimumIdleSize(1)
        .setMasterConnectionPoolSize(8)
        .setSubscriptionConnectionPoolSize(4);
    cluster.nodes().forEach(node -> servers.addNodeAddress("redis://127.0.0.1:" + node.port()));
    return Redisson.create(config);
  }
}
