package io.leasehold.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A master and its replicas, with nobody who watches them: what changes sides does so because a
 * test says so.
 *
 * <p><b>Losing a write.</b> With {@link RedisReplicasBuilder#proxiedReplication()} each replica
 * reaches its master through a {@link FaultyProxy} of its own while clients reach it directly: cut
 * or black-hole {@link #replicationProxy}, write to the master, kill it and {@link #promote} the
 * replica, which never got the write.
 *
 * <p>A server that is restarted with its data has the role that it was last given here; one that is
 * restarted with {@code Data.LOST} has the role that it was started with.
 *
 * <p>Thread-safety: as that of {@link RedisServer}; one thread at a time promotes, follows and
 * closes.
 */
public final class RedisReplicas implements AutoCloseable {

  private static final Duration REPLY_BOUND = Duration.ofSeconds(2);

  private final List<DataNode> nodes;
  private final Belongings belongings;
  private volatile RedisServer master;

  RedisReplicas(List<DataNode> nodes, Belongings belongings) {
    this.nodes = List.copyOf(nodes);
    this.belongings = belongings;
    this.master = nodes.get(0).server();
  }

  /** Starts a master with one replica; same as {@code builder().start()}. */
  public static RedisReplicas start() {
    return builder().start();
  }

  public static RedisReplicasBuilder builder() {
    return new RedisReplicasBuilder();
  }

  /** The server that was started as master or, after {@link #promote}, the last one promoted. */
  public RedisServer master() {
    return master;
  }

  /** All servers but the {@link #master()}, dead or alive. */
  public List<RedisServer> replicas() {
    return servers().stream().filter(server -> server != master).toList();
  }

  /** All servers; the one that was started as master comes first. */
  public List<RedisServer> servers() {
    return nodes.stream().map(DataNode::server).toList();
  }

  /**
   * The wire by which this server reaches its master while it is a replica. It stays the same
   * through {@link #follow}.
   *
   * @throws IllegalStateException if replication is not proxied
   */
  public FaultyProxy replicationProxy(RedisServer replica) {
    return node(replica)
        .link()
        .orElseThrow(
            () -> new IllegalStateException("replication is direct; ask for proxiedReplication()"));
  }

  /**
   * Makes a master of a replica, with what it has, and leaves all others as they are: the old
   * master, if it lives, goes on to be one.
   */
  public void promote(RedisServer replica) {
    node(replica);
    replica.command("REPLICAOF", "NO", "ONE");
    replica.command("CONFIG", "REWRITE");
    master = replica;
  }

  /**
   * Makes a server the replica of another one. Does not wait until it has its data; see {@link
   * #awaitInSync}.
   */
  public void follow(RedisServer server, RedisServer newMaster) {
    DataNode target = node(newMaster);
    Optional<FaultyProxy> link = node(server).link();
    link.ifPresent(
        proxy -> {
          proxy.leadTo(newMaster.host(), target.knownPort());
          // A replica that is told to go where it is does nothing; it is the cut that moves it.
          proxy.cut(Cut.RST);
        });
    int port = link.map(FaultyProxy::port).orElseGet(target::knownPort);
    server.command("REPLICAOF", newMaster.host(), String.valueOf(port));
    server.command("CONFIG", "REWRITE");
  }

  /**
   * Waits until every living replica has all that the {@link #master()} had when this was called,
   * and the master counts it as a replica in good health ({@code min-replicas-to-write}).
   *
   * @throws IllegalStateException if that is not so within the bound
   */
  public void awaitInSync(Duration bound) {
    List<RedisServer> living = replicas().stream().filter(RedisServer::isAlive).toList();
    long offset = number(master.info("replication"), "master_repl_offset");
    boolean inSync =
        Patience.await(
            bound,
            () ->
                living.stream().allMatch(replica -> hasAll(replica, offset))
                    && countsAsHealthy(living.size()));
    if (!inSync) {
      throw new IllegalStateException(
          "replicas are not in sync after " + bound + ": " + whatTheySay());
    }
  }

  /** Closes all servers and proxies. */
  @Override
  public void close() {
    belongings.close();
  }

  List<DataNode> nodes() {
    return nodes;
  }

  DataNode node(RedisServer server) {
    return nodes.stream()
        .filter(node -> node.server() == server)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(server + " is not one of " + nodes));
  }

  static Optional<Map<String, String>> replication(RedisServer server) {
    try (RespConnection connection = server.connect(REPLY_BOUND)) {
      return Optional.of(SignalledServer.info(connection, "replication"));
    } catch (UncheckedIOException | RedisErrorReply e) {
      return Optional.empty();
    }
  }

  private static boolean hasAll(RedisServer replica, long offset) {
    return replication(replica)
        .filter(said -> "up".equals(said.get("master_link_status")))
        .filter(said -> number(said, "slave_repl_offset") >= offset)
        .isPresent();
  }

  private boolean countsAsHealthy(int count) {
    Map<String, String> said = replication(master).orElse(Map.of());
    // slave0:ip=127.0.0.1,port=10001,state=online,offset=14,lag=0
    long online =
        said.entrySet().stream()
            .filter(field -> field.getKey().matches("slave\\d+"))
            .filter(field -> field.getValue().contains("state=online"))
            .count();
    // Only there with min-replicas-to-write.
    String good = said.getOrDefault("min_slaves_good_slaves", String.valueOf(count));
    return online >= count && Integer.parseInt(good) >= count;
  }

  private String whatTheySay() {
    List<String> said = new ArrayList<>();
    for (RedisServer server : servers()) {
      said.add(server + ": " + replication(server));
    }
    return said.toString();
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "-1"));
  }
}
