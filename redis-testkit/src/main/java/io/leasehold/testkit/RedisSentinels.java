package io.leasehold.testkit;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A master, its replicas and the sentinels that watch over them. All are real servers that can be
 * killed, paused and restarted; the sentinels promote a replica by themselves and make a replica of
 * an old master that comes back.
 *
 * <p>Two kinds of wires can be broken, one of them at a time:
 *
 * <ul>
 *   <li>{@link RedisSentinelsBuilder#proxiedReplication()}: that of a replica to its master.
 *       Clients and sentinels reach the master. So a write can be acknowledged and lost: black-hole
 *       {@link #replicationProxy}, write, kill the master. A replica whose link has been
 *       <em>down</em> (not silent) for more than ten times {@code downAfter} is not promoted: that
 *       is redis' rule.
 *   <li>{@link RedisSentinelsBuilder#behindProxies()}: those by which sentinels, replicas and all
 *       clients that ask the sentinels reach a server. So a master can be isolated: black-hole
 *       {@link #proxyOf} it, and a replica is promoted, while a test still reaches the old master
 *       at its own {@link RedisServer#port()}.
 * </ul>
 *
 * <p>Everything is quicker here than in a real installation: redis 7 lets a test shorten the
 * sentinels' periods. A sentinel that is restarted, and every one of redis 6, has the usual ones:
 * up to twenty seconds may pass until it makes a replica of an old master.
 *
 * <p>Thread-safety: as that of {@link RedisServer}.
 */
public final class RedisSentinels implements AutoCloseable {

  private static final Duration REPLY_BOUND = Duration.ofSeconds(2);

  private final String masterName;
  private final RedisReplicas data;
  private final List<RedisServer> sentinels;
  private final Belongings belongings;

  RedisSentinels(
      String masterName, RedisReplicas data, List<RedisServer> sentinels, Belongings belongings) {
    this.masterName = masterName;
    this.data = data;
    this.sentinels = List.copyOf(sentinels);
    this.belongings = belongings;
  }

  /** Starts a master, one replica and three sentinels; same as {@code builder().start()}. */
  public static RedisSentinels start() {
    return builder().start();
  }

  public static RedisSentinelsBuilder builder() {
    return new RedisSentinelsBuilder();
  }

  /** The name that clients ask the sentinels for. */
  public String masterName() {
    return masterName;
  }

  public List<RedisServer> sentinels() {
    return sentinels;
  }

  public List<InetSocketAddress> sentinelAddresses() {
    return sentinels.stream()
        .map(sentinel -> new InetSocketAddress(sentinel.host(), sentinel.port()))
        .toList();
  }

  /** The masters and replicas, dead or alive; the one that was started as master comes first. */
  public List<RedisServer> servers() {
    return data.servers();
  }

  /** All {@link #servers()} but the {@link #currentMaster()}. */
  public List<RedisServer> replicas() {
    RedisServer master = currentMaster();
    return servers().stream().filter(server -> server != master).toList();
  }

  /**
   * The master by the word of the sentinels, which may be dead for a moment.
   *
   * @throws IllegalStateException if no majority of the sentinels says the same
   */
  public RedisServer currentMaster() {
    List<RedisServer> named = namedMasters();
    return named.stream()
        .collect(Collectors.groupingBy(server -> server, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(votes -> votes.getValue() > sentinels.size() / 2)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("the sentinels do not agree on a master: " + named));
  }

  /**
   * Waits until all sentinels that answer name the same server, it says itself that it is a master,
   * and it is one that was waited for.
   *
   * @throws IllegalStateException if that is not so within the bound
   */
  public RedisServer awaitMaster(Predicate<RedisServer> wanted, Duration bound) {
    return Patience.awaitPresent(bound, () -> settledMaster().filter(wanted))
        .orElseThrow(
            () -> new IllegalStateException("no such master after " + bound + whatSentinelsSay()));
  }

  /** Waits until another server than this one is the master; see {@link #awaitMaster}. */
  public RedisServer awaitMasterOtherThan(RedisServer old, Duration bound) {
    return awaitMaster(server -> server != old, bound);
  }

  /**
   * Waits until this server is a replica of the current master and has its data.
   *
   * @throws IllegalStateException if that is not so within the bound
   */
  public void awaitReplica(RedisServer server, Duration bound) {
    if (!Patience.await(bound, () -> isReplicaInSync(server))) {
      throw new IllegalStateException(
          server
              + " is no replica after "
              + bound
              + ": "
              + RedisReplicas.replication(server)
              + whatSentinelsSay());
    }
  }

  /**
   * Has the sentinels promote a replica although the master is well ({@code SENTINEL FAILOVER}).
   * Does not wait for it; see {@link #awaitMasterOtherThan}.
   *
   * @throws RedisErrorReply if no replica is good enough, or a failover is under way
   */
  public void failover() {
    sentinels.stream()
        .filter(RedisServer::isAlive)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no sentinel is alive"))
        .command("SENTINEL", "FAILOVER", masterName);
  }

  /**
   * The wire by which this server reached the master when it was started as a replica. The
   * sentinels do not know of it: after a failover, and after {@code failoverTimeout} in any case,
   * they lead each replica directly to its master.
   *
   * @throws IllegalStateException if replication is not proxied
   */
  public FaultyProxy replicationProxy(RedisServer replica) {
    return data.replicationProxy(replica);
  }

  /**
   * The wire by which everybody who asks the sentinels reaches this server, and its replicas do.
   *
   * @throws IllegalStateException if servers are not behind proxies
   */
  public FaultyProxy proxyOf(RedisServer server) {
    return data.node(server)
        .front()
        .orElseThrow(
            () ->
                new IllegalStateException("servers are reached directly; ask for behindProxies()"));
  }

  /** The address by which the sentinels and their clients know a server. */
  public InetSocketAddress knownAddress(RedisServer server) {
    return data.node(server).known();
  }

  /** Waits until the replicas have what the current master has; see {@link RedisReplicas}. */
  public void awaitInSync(Duration bound) {
    long offset =
        Long.parseLong(currentMaster().info("replication").getOrDefault("master_repl_offset", "0"));
    for (RedisServer replica : replicas()) {
      if (replica.isAlive()
          && !Patience.await(bound, () -> isReplicaInSync(replica) && offset(replica) >= offset)) {
        throw new IllegalStateException(replica + " is not in sync after " + bound);
      }
    }
  }

  /** Closes all servers, sentinels and proxies. */
  @Override
  public void close() {
    belongings.close();
  }

  /** Whether every sentinel knows the master, all replicas and all other sentinels. */
  boolean isComplete() {
    return sentinels.stream().allMatch(this::knowsAll);
  }

  private boolean knowsAll(RedisServer sentinel) {
    if (!(ask(sentinel, "SENTINEL", "MASTER", masterName) instanceof List<?> fields)) {
      return false;
    }
    return field(fields, "num-slaves").equals(String.valueOf(data.nodes().size() - 1))
        && field(fields, "num-other-sentinels").equals(String.valueOf(sentinels.size() - 1))
        && field(fields, "flags").equals("master")
        && knowsReplicasAsHealthy(sentinel);
  }

  private boolean knowsReplicasAsHealthy(RedisServer sentinel) {
    return ask(sentinel, "SENTINEL", "REPLICAS", masterName) instanceof List<?> replicas
        && replicas.stream()
            .allMatch(
                replica ->
                    replica instanceof List<?> fields
                        && field(fields, "flags").equals("slave")
                        && field(fields, "master-link-status").equals("ok"));
  }

  private Optional<RedisServer> settledMaster() {
    List<RedisServer> named = namedMasters().stream().distinct().toList();
    return named.size() == 1 && role(named.get(0)).equals("master")
        ? Optional.of(named.get(0))
        : Optional.empty();
  }

  /** What each sentinel that answers says. */
  private List<RedisServer> namedMasters() {
    List<RedisServer> named = new ArrayList<>();
    for (RedisServer sentinel : sentinels) {
      if (ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName) instanceof List<?> at) {
        named.add(known(Integer.parseInt(String.valueOf(at.get(1)))));
      }
    }
    return named;
  }

  private RedisServer known(int port) {
    return data.nodes().stream()
        .filter(node -> node.knownPort() == port)
        .map(DataNode::server)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the sentinels name a stranger at " + port));
  }

  private boolean isReplicaInSync(RedisServer server) {
    Optional<Map<String, String>> said = RedisReplicas.replication(server);
    return said.filter(fields -> "slave".equals(fields.get("role")))
        .filter(fields -> "up".equals(fields.get("master_link_status")))
        .filter(fields -> leadsToMaster(server, fields.getOrDefault("master_port", "")))
        .isPresent();
  }

  private boolean leadsToMaster(RedisServer replica, String port) {
    Optional<RedisServer> master = settledMaster();
    // The wires of proxied replication lead to the first master, and nowhere else.
    Optional<FaultyProxy> wire =
        data.node(replica).link().filter(any -> master.equals(Optional.of(servers().get(0))));
    return wire.map(FaultyProxy::port).map(String::valueOf).filter(port::equals).isPresent()
        || master.map(at -> String.valueOf(data.node(at).knownPort())).equals(Optional.of(port));
  }

  /** All that can explain why roles are not what a test expects; an election is in several logs. */
  private String whatSentinelsSay() {
    StringBuilder said = new StringBuilder("; the sentinels name " + namedMasters());
    for (RedisServer sentinel : sentinels) {
      said.append("\n--- the sentinel at ").append(sentinel.port()).append(" on the replicas: ");
      said.append(ask(sentinel, "SENTINEL", "REPLICAS", masterName)).append("\n");
      said.append(sentinel.log());
    }
    return said.toString();
  }

  private static long offset(RedisServer replica) {
    return RedisReplicas.replication(replica)
        .map(fields -> Long.parseLong(fields.getOrDefault("slave_repl_offset", "-1")))
        .orElse(-1L);
  }

  private static String role(RedisServer server) {
    return RedisReplicas.replication(server).map(said -> said.get("role")).orElse("silent");
  }

  private static @Nullable Object ask(RedisServer sentinel, String... words) {
    if (!sentinel.isAlive()) {
      return null;
    }
    try (RespConnection connection = sentinel.connect(REPLY_BOUND)) {
      return connection.call(words);
    } catch (UncheckedIOException | RedisErrorReply e) {
      // Dead, paused or starting: it has no say.
      return null;
    }
  }

  private static String field(List<?> namesAndValues, String name) {
    int at = namesAndValues.indexOf(name);
    return at < 0 ? "" : String.valueOf(namesAndValues.get(at + 1));
  }
}
