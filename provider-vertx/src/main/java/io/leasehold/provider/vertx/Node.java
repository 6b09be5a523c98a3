package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.Link.Subscription;
import io.leasehold.provider.vertx.VertxPort.Call;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Primary;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisRole;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A server, or the primary that sentinels name: one connection that commands share, some that serve
 * one call at a time, and one for each subscriber.
 */
final class Node implements Primary {
  private static final int MOST_CONNECTIONS = 1_000;

  final Endpoint at;
  final VertxPort port;
  final Map<Subscriber, Future<Subscription>> subscriptions = new HashMap<>();
  private final ArrayDeque<Link> idle = new ArrayDeque<>();
  private Future<Link> shared = Future.failedFuture(Link.gone());
  private @Nullable Redis client;

  Node(Endpoint at, VertxPort port) {
    this.at = at;
    this.port = port;
  }

  @Override
  public String address() {
    String master = port.clients.servers().masterName(); // where it is, only the driver knows
    return master.isEmpty() ? at.toString() : master;
  }

  @Override
  public CompletionStage<Object> send(RedisCommand command) {
    return port.send(command, call -> send(call, false));
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(Call call, boolean asking) {
    if (!call.alone) {
      if (shared.failed() || (shared.succeeded() && shared.result().over)) {
        shared = connect(made -> new Link(this, made));
      }
      return shared.compose(link -> link.send(call, asking));
    }
    idle.removeIf(link -> link.over);
    if (idle.isEmpty() && port.connections.size() >= MOST_CONNECTIONS) {
      return Future.failedFuture(RedisConnectionFailure.overloaded());
    }
    Link free = idle.poll();
    return (free == null ? connect(made -> new Link(this, made)) : Future.succeededFuture(free))
        .compose(link -> link.send(call, asking).onComplete(done -> idle.push(link)));
  }

  /** Completes when the server has confirmed the subscription. */
  Future<Boolean> subscribe(byte[] channel, Subscriber subscriber) {
    Future<Subscription> subscription = subscriptions.get(subscriber);
    if (subscription == null || subscription.failed()) {
      subscription = connect(made -> new Subscription(this, made, channel, subscriber));
      subscriptions.put(subscriber, subscription);
    }
    return subscription.compose(made -> made.confirmed.future());
  }

  void unsubscribe(Subscriber subscriber) {
    Future<Subscription> ended = subscriptions.getOrDefault(subscriber, Future.failedFuture(""));
    subscriptions.remove(subscriber);
    ended.onSuccess(made -> made.end(Link.gone()));
  }

  /** Ends all subscriptions, and says so. */
  void interrupt() {
    List.copyOf(subscriptions.values()).forEach(s -> s.onSuccess(made -> made.end(Link.gone())));
  }

  private <L> Future<L> connect(Function<RedisConnection, L> use) {
    client = client == null ? client() : client;
    Future<RedisConnection> connecting = client.connect();
    port.connections.add(connecting);
    return connecting
        .compose(
            made -> Future.all(port.clients.greeting().stream().map(made::send).toList()).map(made))
        .timeout(port.context.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(error -> failed(connecting, error))
        .map(use);
  }

  /** A client of the one server, of the primary that sentinels name, or of a node of a cluster. */
  private Redis client() {
    if (port.clients.lent() != null) {
      return port.clients.lent();
    }
    RedisOptions options =
        new RedisOptions(port.clients.options())
            .setRole(RedisRole.MASTER)
            .setAutoFailover(false) // it exchanges connections, and forgets subscriptions
            .setTopologyCacheTTL(1) // a new connection asks the sentinels anew
            .setMaxPoolSize(MOST_CONNECTIONS)
            .setMaxPoolWaiting(MOST_CONNECTIONS);
    List<String> endpoints = new ArrayList<>(options.getEndpoints());
    if (options.getType() == RedisClientType.CLUSTER) {
      String address = "$1" + Matcher.quoteReplacement(at.toString());
      options.setType(RedisClientType.STANDALONE);
      endpoints = List.of(endpoints.get(0).replaceFirst("(://(?:[^/?]*@)?)[^/?]*", address));
    } else if (options.getType() == RedisClientType.SENTINEL) {
      // A client waits for its first sentinel as long as that is silent: the next client begins
      // with another one. Those that want no login are not offered one.
      Collections.rotate(endpoints, -1);
      port.clients.options().setEndpoints(List.copyOf(endpoints));
      endpoints.sort(Comparator.comparing(url -> url.contains("@")));
    }
    return Redis.createClient(port.vertx, options.setEndpoints(endpoints));
  }

  private <T> Future<T> failed(Future<RedisConnection> connecting, Throwable error) {
    connecting.onSuccess(Link::discard).onComplete(d -> port.connections.remove(connecting));
    // The driver waits for ever for a silent server, and 5.1 does not close what refused a login.
    boolean plain = error instanceof IOException && !error.toString().contains("WRONGPASS");
    if (!plain && !connecting.succeeded()) {
      reset();
    }
    port.refresh();
    RedisErrorReply refused = Link.errorReply(error);
    return Future.failedFuture(
        refused == null ? RedisConnectionFailure.cannotConnect(error) : refused);
  }

  /** A connection broke, or leads to a replica now: if that of commands, subscriptions may, too. */
  void lost(Link link) {
    port.context.doubt().run();
    if (shared.result() == link) {
      interrupt();
    }
    port.refresh();
  }

  /** Closes all connections at once, unless the client is the application's. */
  private void reset() {
    if (client != null && port.clients.lent() == null) {
      try { // returns nothing in 4.5 and a future in 5: a compiled call would fit one of them
        Redis.class.getMethod("close").invoke(client);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Redis.close", e);
      }
      client = null;
    }
  }

  void close() {
    reset();
    interrupt();
  }
}
