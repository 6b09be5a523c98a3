package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Collects what a cluster is started with. Each {@link #start()} starts another one. Not
 * thread-safe.
 */
public final class RedisClusterBuilder {

  private static final Duration MET_WITHIN = Duration.ofSeconds(30);
  private static final Duration WHOLE_WITHIN = Duration.ofSeconds(60);

  private final List<Consumer<RedisServerBuilder>> nodeSettings = new ArrayList<>();
  private int masters = 3;
  private int replicasPerMaster = 1;
  private Duration nodeTimeout = Duration.ofSeconds(1);

  RedisClusterBuilder() {}

  /**
   * How many masters share the slots; three unless said otherwise, and with fewer none is replaced.
   */
  public RedisClusterBuilder masters(int count) {
    masters = count;
    return this;
  }

  /** How many replicas each master has; one unless said otherwise. */
  public RedisClusterBuilder replicasPerMaster(int count) {
    replicasPerMaster = count;
    return this;
  }

  /** After which silence a node is taken for dead; one second unless said otherwise. */
  public RedisClusterBuilder nodeTimeout(Duration silence) {
    nodeTimeout = silence;
    return this;
  }

  /**
   * Settings of every node, e.g. {@code node -> node.password("secret")}. They win over the
   * testkit's own.
   */
  public RedisClusterBuilder nodes(Consumer<RedisServerBuilder> settings) {
    nodeSettings.add(settings);
    return this;
  }

  /**
   * Starts the nodes and waits until all of them agree on everybody's role and slots, take the
   * cluster for well, and the replicas have their data. That takes two seconds and a bit: so long
   * does a master wait before it trusts a cluster.
   *
   * @throws RedisStartException if a node does not come up
   * @throws IllegalStateException if the nodes do not agree within a minute
   */
  public RedisCluster start() {
    Belongings belongings = new Belongings();
    try {
      List<RedisServer> nodes = new ArrayList<>();
      for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
        nodes.add(belongings.keep(node().start()));
      }
      RedisCluster cluster = new RedisCluster(nodes, belongings);
      form(nodes);
      if (!Patience.await(WHOLE_WITHIN, cluster::isWhole)) {
        throw new IllegalStateException("the cluster is not whole after " + WHOLE_WITHIN);
      }
      return cluster;
    } catch (RuntimeException e) {
      belongings.closeAfter(e);
      throw e;
    }
  }

  private RedisServerBuilder node() {
    RedisServerBuilder settings =
        RedisServer.builder()
            .config(RedisReplicasBuilder.QUICK)
            .config(
                "cluster-enabled yes",
                "cluster-node-timeout " + nodeTimeout.toMillis(),
                // A test says which replica a master has; it does not move to another one by
                // itself.
                "cluster-migration-barrier 99",
                // However long a replica was cut off: it is the only one that can take over.
                "cluster-replica-validity-factor 0");
    nodeSettings.forEach(more -> more.accept(settings));
    return settings;
  }

  private void form(List<RedisServer> nodes) {
    for (int i = 0; i < masters; i++) {
      // Distinct epochs from the start: otherwise the nodes take their time to resolve the clash.
      nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
      addSlots(
          nodes.get(i), RedisCluster.SLOTS * i / masters, RedisCluster.SLOTS * (i + 1) / masters);
    }
    // Everybody meets everybody; rumours would get there too, later.
    for (RedisServer node : nodes) {
      try (RespConnection connection = node.connect(MET_WITHIN)) {
        nodes.stream()
            .filter(other -> other != node)
            .forEach(
                other ->
                    connection.call("CLUSTER", "MEET", other.host(), String.valueOf(other.port())));
      }
    }
    awaitMet(nodes);
    for (int i = masters; i < nodes.size(); i++) {
      String masterId = String.valueOf(nodes.get(i % masters).command("CLUSTER", "MYID"));
      nodes.get(i).command("CLUSTER", "REPLICATE", masterId);
    }
  }

  private static void awaitMet(List<RedisServer> nodes) {
    if (!Patience.await(
        MET_WITHIN,
        () ->
            nodes.stream()
                .allMatch(
                    node ->
                        ClusterView.of(node)
                            .filter(view -> view.knows(nodes.size()))
                            .isPresent()))) {
      throw new IllegalStateException("the nodes did not meet within " + MET_WITHIN);
    }
  }

  /** One by one and not as a range, which only redis 7 knows. */
  private static void addSlots(RedisServer master, int from, int end) {
    List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
    IntStream.range(from, end).mapToObj(String::valueOf).forEach(words::add);
    master.command(words.toArray(String[]::new));
  }
}
