package io.leasehold.provider.vertx;

import io.leasehold.redis.ClusterSlots;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort.Primary;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.leasehold.redis.driver.Redirection;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which server gets what: the only one, or the node of a cluster that has the slot.
 *
 * <p>The nodes of a cluster are reached by the driver's standalone client, not by its cluster
 * client. That repeats a single command up to 16 times, and leaves MOVED in a batch to its user; it
 * never replaces an inner connection that broke; and it subscribes at any node.
 */
final class Nodes {
  private static final int MOST_REDIRECTIONS = 5;

  final VertxPort port;
  final Clients clients;
  private final boolean clustered;
  private final Map<Endpoint, Node> nodes = new HashMap<>();
  private @Nullable Node[] owners = new Node[ClusterSlots.COUNT];
  private Future<?> refreshing = Future.succeededFuture();

  Nodes(VertxPort port, Clients clients) {
    this.port = port;
    this.clients = clients;
    this.clustered = clients.servers().topology() == RedisServers.Topology.CLUSTER;
    if (!clustered) {
      Arrays.fill(owners, node(clients.servers().endpoints().get(0)));
    }
  }

  private Node node(Endpoint endpoint) {
    return nodes.computeIfAbsent(endpoint, at -> new Node(at, this));
  }

  void forEach(Consumer<Node> action) {
    List.copyOf(nodes.values()).forEach(action);
  }

  /** Completes with the server that has the key. */
  Future<Node> owner(byte[] key) {
    int slot = clustered ? ClusterSlots.of(key) : 0;
    Node owner = owners[slot];
    return owner != null
        ? Future.succeededFuture(owner)
        : refresh().map(done -> required(owners[slot]));
  }

  private static Node required(@Nullable Node owner) {
    if (owner == null) {
      throw RedisConnectionFailure.unreachable("no node of the cluster has the slot", null);
    }
    return owner;
  }

  /** Completes with all primaries, as of now. */
  Future<List<Primary>> primaries() {
    return refresh().map(done -> List.copyOf(distinct(owners)));
  }

  private static Set<Node> distinct(@Nullable Node[] owners) {
    Set<Node> all = new LinkedHashSet<>();
    for (Node owner : owners) {
      if (owner != null) {
        all.add(owner);
      }
    }
    return all;
  }

  /** Sends a call to the server that has the key. */
  Future<List<Object>> send(byte[] key, Call call) {
    return owner(key).compose(owner -> send(owner, call, false, 0));
  }

  private Future<List<Object>> send(Node to, Call call, boolean asking, int redirections) {
    return to.send(call, asking)
        .compose(
            replies ->
                Redirection.of(replies.get(0))
                    .filter(any -> clustered && redirections < MOST_REDIRECTIONS)
                    .map(next -> send(redirected(to, next), call, next.ask(), redirections + 1))
                    .orElseGet(() -> Future.succeededFuture(replies)));
  }

  private Node redirected(Node from, Redirection next) {
    Endpoint to = endpoint(next.host(), next.port(), from.at);
    if (!next.ask()) {
      refresh(List.of(to));
    }
    return node(to);
  }

  /** What a node calls another one; a missing host means its own. */
  private static Endpoint endpoint(String host, int port, Endpoint asked) {
    return Endpoint.data(host.isEmpty() || host.equals("?") ? asked.host() : host, port);
  }

  /** A node of the cluster may not be what it was. */
  Future<?> refresh() {
    return refresh(clients.servers().endpoints());
  }

  /** Asks one node after the other who has which slot, beginning with those that should know. */
  private Future<?> refresh(List<Endpoint> first) {
    if (clustered && refreshing.isComplete()) {
      Set<Endpoint> candidates = new LinkedHashSet<>(first);
      candidates.addAll(nodes.keySet());
      candidates.addAll(clients.servers().endpoints());
      refreshing = ask(new ArrayDeque<>(candidates));
    }
    return refreshing;
  }

  private Future<Boolean> ask(Deque<Endpoint> candidates) {
    Node next = node(candidates.remove());
    return next.send(new Call(port, List.of(RedisCommand.of("CLUSTER", "SLOTS")), false), false)
        .map(replies -> learn(read(replies.get(0), next.at)))
        .recover(
            error ->
                candidates.isEmpty() || port.isClosed()
                    ? Future.failedFuture(error)
                    : ask(candidates));
  }

  /** The owners of all slots, from a reply to CLUSTER SLOTS. */
  private @Nullable Node[] read(@Nullable Object reply, Endpoint asked) {
    @Nullable Node[] read = new Node[ClusterSlots.COUNT];
    if (reply instanceof RedisErrorReply refused) {
      throw refused;
    }
    try {
      for (Object each : (List<?>) Objects.requireNonNull(reply)) {
        List<?> range = (List<?>) each;
        List<?> primary = (List<?>) range.get(2);
        String host =
            primary.get(0) instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
        Node owner = node(endpoint(host, ((Long) primary.get(1)).intValue(), asked));
        int last = ((Long) range.get(1)).intValue();
        Arrays.fill(read, ((Long) range.get(0)).intValue(), last + 1, owner);
      }
      return read;
    } catch (RuntimeException e) { // of a cast, an index or null
      throw RedisConnectionFailure.unreachable("unreadable reply to CLUSTER SLOTS", e);
    }
  }

  private boolean learn(@Nullable Node[] now) {
    if (!Arrays.equals(now, owners)) {
      owners = now;
      Set<Subscriber> subscribers = new LinkedHashSet<>();
      forEach(node -> subscribers.addAll(node.subscriptions.keySet()));
      Set<Node> left = new LinkedHashSet<>(nodes.values());
      left.removeAll(distinct(owners));
      nodes.values().removeAll(left);
      left.forEach(Node::leave);
      subscribers.forEach(Subscriber::interrupted);
    }
    return true;
  }
}
