package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Collects what a master and its replicas are started with. Each {@link #start()} starts others.
 * Not thread-safe.
 */
public final class RedisReplicasBuilder {

  private static final Duration IN_SYNC_WITHIN = Duration.ofSeconds(30);

  /** Replication that begins at once and notices within seconds that its peer is silent. */
  static final String[] QUICK = {
    "repl-diskless-sync yes",
    "repl-diskless-sync-delay 0",
    "repl-ping-replica-period 1",
    "repl-timeout 5"
  };

  private final List<Consumer<RedisServerBuilder>> nodeSettings = new ArrayList<>();
  private int replicas = 1;
  private boolean linksProxied;
  private boolean nodesProxied;

  RedisReplicasBuilder() {}

  /** How many replicas the master has; one unless said otherwise. */
  public RedisReplicasBuilder replicas(int count) {
    replicas = count;
    return this;
  }

  /**
   * Settings of every server, the master and the replicas, e.g. {@code node ->
   * node.password("secret").config("min-replicas-to-write 1")}. They win over the testkit's own.
   */
  public RedisReplicasBuilder nodes(Consumer<RedisServerBuilder> settings) {
    nodeSettings.add(settings);
    return this;
  }

  /**
   * Puts a proxy on the way from each replica to its master; see {@link
   * RedisReplicas#replicationProxy}.
   */
  public RedisReplicasBuilder proxiedReplication() {
    linksProxied = true;
    return this;
  }

  /** Makes every server known to replicas, and in their reports, by the address of a proxy. */
  RedisReplicasBuilder behindProxies() {
    nodesProxied = true;
    return this;
  }

  boolean isReplicationProxied() {
    return linksProxied;
  }

  boolean isBehindProxies() {
    return nodesProxied;
  }

  /**
   * Starts the servers and waits until all replicas are in sync.
   *
   * @throws RedisStartException if a server does not come up
   * @throws IllegalStateException if a replica is not in sync within 30 seconds
   */
  public RedisReplicas start() {
    Belongings belongings = new Belongings();
    try {
      List<DataNode> nodes = new ArrayList<>();
      nodes.add(start(belongings, Optional.empty()));
      for (int i = 0; i < replicas; i++) {
        nodes.add(start(belongings, Optional.of(nodes.get(0))));
      }
      RedisReplicas started = new RedisReplicas(nodes, belongings);
      started.awaitInSync(IN_SYNC_WITHIN);
      return started;
    } catch (RuntimeException e) {
      belongings.closeAfter(e);
      throw e;
    }
  }

  private DataNode start(Belongings belongings, Optional<DataNode> master) {
    Optional<FaultyProxy> front = proxy(nodesProxied, belongings);
    Optional<FaultyProxy> link = proxy(linksProxied, belongings);
    RedisServerBuilder settings = RedisServer.builder().config(QUICK);
    front.ifPresent(
        proxy ->
            settings.config(
                "replica-announce-ip " + proxy.host(), "replica-announce-port " + proxy.port()));
    master.ifPresent(
        known -> {
          link.ifPresent(proxy -> proxy.leadTo(known.server().host(), known.knownPort()));
          int port = link.map(FaultyProxy::port).orElseGet(known::knownPort);
          settings.config("replicaof " + known.server().host() + " " + port);
        });
    nodeSettings.forEach(more -> more.accept(settings));
    RedisServer server = belongings.keep(settings.start());
    front.ifPresent(proxy -> proxy.leadTo(server.host(), server.port()));
    return new DataNode(server, front, link);
  }

  private static Optional<FaultyProxy> proxy(boolean wanted, Belongings belongings) {
    return wanted ? Optional.of(belongings.keep(FaultyProxy.toNobodyYet())) : Optional.empty();
  }
}
