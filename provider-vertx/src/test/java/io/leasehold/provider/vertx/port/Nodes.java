package io.leasehold.provider.vertx.port;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which server gets what: the only one, or the node of a cluster that has the slot.
 *
 * <p>The nodes of a cluster are reached by the driver's standalone client, not by its cluster
 * client. That repeats a single command up to 16 times, and leaves MOVED in a batch to its user; it
 * never replaces an inner connection that broke; and it subscribes at any node. Everything happens
 * on the {@link Loop}.
 */
final class Nodes {
  private static final int MOST_REDIRECTIONS = 5;
  private static final long REFRESH_PAUSE_NANOS = 100_000_000;
  private static final RedisCommand CLUSTER_SLOTS = RedisCommand.of("CLUSTER", "SLOTS");
  private static final Pattern REDIRECTION =
      Pattern.compile("(MOVED|ASK) \\d{1,5} (.*):(\\d{1,5})");

  private final Loop loop;
  private final Clients clients;
  private final @Nullable Node single;
  private final Map<Endpoint, Node> nodes = new HashMap<>();
  private @Nullable Endpoint[] owners = new Endpoint[Slots.COUNT];
  private Future<Boolean> refreshing = Future.succeededFuture(false);
  private @Nullable Endpoint informed;
  private long refreshed;

  Nodes(Loop loop, Clients clients) {
    this.loop = loop;
    this.clients = clients;
    this.single =
        clients.clustered() ? null : new Node(Endpoint.data("", 0), loop, clients, () -> {});
    this.refreshed = loop.now() - REFRESH_PAUSE_NANOS;
  }

  /** Completes with the server that has the key. */
  Future<Node> owner(byte[] key) {
    if (single != null) {
      return Future.succeededFuture(single);
    }
    Endpoint owner = owners[Slots.of(key)];
    return owner != null
        ? Future.succeededFuture(node(owner))
        : refresh().compose(done -> known(owners[Slots.of(key)]));
  }

  private Future<Node> known(@Nullable Endpoint owner) {
    return owner != null
        ? Future.succeededFuture(node(owner))
        : Future.failedFuture(
            RedisConnectionFailure.unreachable("no node of the cluster has the slot", null));
  }

  /** Completes with all primaries, as of now. */
  Future<List<Node>> primaries() {
    return single != null
        ? Future.succeededFuture(List.of(single))
        : refresh().map(done -> distinct(owners).stream().map(this::node).toList());
  }

  /** All servers to which there may be connections. */
  List<Node> all() {
    return single != null ? List.of(single) : List.copyOf(nodes.values());
  }

  private Node node(Endpoint endpoint) {
    return nodes.computeIfAbsent(
        endpoint, at -> new Node(at, loop, clients.node(at), this::refreshSoon));
  }

  /** Sends a call to the server that has the key. */
  void send(byte[] key, PendingCall call) {
    call.completeWith(owner(key).compose(owner -> send(owner, call, false, 0)));
  }

  private Future<List<Object>> send(Node to, PendingCall call, boolean asking, int redirections) {
    return to.send(call, asking)
        .compose(
            replies -> {
              if (single != null
                  || redirections == MOST_REDIRECTIONS
                  || !(replies.get(0) instanceof RedisErrorReply refused)) {
                return Future.succeededFuture(replies);
              }
              Matcher words = REDIRECTION.matcher(String.valueOf(refused.getMessage()));
              return words.matches()
                  ? send(
                      redirected(to.at, words),
                      call,
                      words.group(1).equals("ASK"),
                      redirections + 1)
                  : Future.succeededFuture(replies);
            });
  }

  /** Where a node says that the slot is, such as {@code MOVED 3999 127.0.0.1:6381}. */
  private Node redirected(Endpoint from, Matcher words) {
    Endpoint to = Slots.endpoint(words.group(2), Integer.parseInt(words.group(3)), from);
    if (words.group(1).equals("MOVED")) {
      informed = to;
      refresh();
    }
    return node(to);
  }

  private void refreshSoon() {
    if (loop.now() - refreshed >= REFRESH_PAUSE_NANOS) {
      refresh();
    }
  }

  /** Asks one node after the other who has which slot, beginning with the one that should know. */
  private Future<Boolean> refresh() {
    if (refreshing.isComplete()) {
      Set<Endpoint> candidates = new LinkedHashSet<>();
      if (informed != null) {
        candidates.add(informed);
      }
      candidates.addAll(nodes.keySet());
      candidates.addAll(clients.seeds());
      refreshing = ask(new ArrayList<>(candidates)).onComplete(done -> refreshed = loop.now());
    }
    return refreshing;
  }

  private Future<Boolean> ask(List<Endpoint> candidates) {
    Endpoint next = candidates.remove(0);
    PendingCall call = new PendingCall(List.of(CLUSTER_SLOTS), false, loop.reply());
    call.completeWith(node(next).send(call, false));
    return loop.future(call.result())
        .map(replies -> learn(next, replies.get(0)))
        .recover(
            error ->
                candidates.isEmpty() || loop.closed()
                    ? Future.failedFuture(error)
                    : ask(candidates));
  }

  private boolean learn(Endpoint asked, @Nullable Object reply) {
    if (reply instanceof RedisErrorReply refused) {
      throw refused;
    }
    @Nullable Endpoint[] before = owners;
    owners = Slots.read(reply, asked);
    informed = null;
    if (!Arrays.equals(owners, before)) {
      Set<Subscriber> subscribers = new LinkedHashSet<>();
      nodes.values().forEach(node -> subscribers.addAll(node.subscribers()));
      Set<Endpoint> left = new LinkedHashSet<>(nodes.keySet());
      left.removeAll(distinct(owners));
      left.forEach(at -> Objects.requireNonNull(nodes.remove(at)).leave());
      subscribers.forEach(Subscriber::restored);
    }
    return true;
  }

  private static List<Endpoint> distinct(@Nullable Endpoint[] owners) {
    return Arrays.stream(owners).filter(Objects::nonNull).distinct().toList();
  }
}
