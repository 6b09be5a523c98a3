package io.leasehold.provider.vertx;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.DriverPort.Primary;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A server, or the primary that sentinels name: one connection that commands share, some that serve
 * one call at a time, and one for each subscriber.
 */
final class Node implements Primary {
  final Endpoint at;
  final Nodes nodes;
  final Set<Link> links = new HashSet<>();
  final Map<Subscriber, Subscription> subscriptions = new HashMap<>();

  /** The driver's; null before the first connection, and when all connections were closed. */
  @Nullable Redis client;

  private final Deque<Link> idle = new ArrayDeque<>();
  private @Nullable Link shared;

  Node(Endpoint at, Nodes nodes) {
    this.at = at;
    this.nodes = nodes;
  }

  @Override
  public String address() {
    String master = nodes.clients.servers().masterName(); // where it is, only the driver knows
    return master.isEmpty() ? at.toString() : master;
  }

  @Override
  public CompletionStage<Object> send(RedisCommand command) {
    return nodes.port.send(command, call -> send(call, false));
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    if (!call.alone) {
      if (shared == null || !shared.isUsable()) {
        shared = new Link(this);
      }
      return shared.send(call, asking);
    }
    idle.removeIf(broken -> !broken.isUsable());
    if (idle.isEmpty() && links.size() >= Clients.MOST_CONNECTIONS) {
      return Future.failedFuture(RedisConnectionFailure.overloaded());
    }
    Link link = idle.isEmpty() ? new Link(this) : idle.pop();
    return link.send(call, asking).onComplete(done -> idle.push(link));
  }

  /** Completes when the server has confirmed the subscription. */
  Future<Boolean> subscribe(byte[] channel, Subscriber subscriber) {
    return subscriptions
        .computeIfAbsent(subscriber, unseen -> new Subscription(this, channel, subscriber))
        .confirmed();
  }

  void unsubscribe(Subscriber subscriber) {
    Subscription ended = subscriptions.remove(subscriber);
    if (ended != null) {
      ended.end(Link.gone());
    }
  }

  Future<RedisConnection> connect() {
    if (client == null) {
      client = nodes.clients.create(nodes.port.vertx, at);
    }
    return client.connect();
  }

  /** A connection broke, or leads to a replica now. */
  void lost(Link link) {
    nodes.port.context.doubt().run();
    if (link == shared) {
      renew();
    }
  }

  /** Connects anew for what comes next, and leaves what there is to its callers. */
  private void renew() {
    List.copyOf(subscriptions.values()).forEach(each -> each.end(Link.gone()));
    links.forEach(Link::retire);
  }

  /** Closes all connections at once, unless the client is the application's. */
  void reset() {
    if (client != null && nodes.clients.lent() == null) {
      Clients.close(client);
      client = null;
    }
  }

  /** Closes all connections as soon as nothing waits for a reply. */
  void leave() {
    renew();
    nodes.port.timer(nodes.port.context.commandTimeout(), this::close);
  }

  void close() {
    reset();
    List.copyOf(links).forEach(link -> link.end(RedisConnectionFailure.closed()));
  }
}
