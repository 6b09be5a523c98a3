package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.VertxPort.Call;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Primary;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server, or the primary that sentinels name: one connection that commands share, some that serve
 * one call at a time, and one for each subscriber.
 */
final class Node implements Primary {
  final Endpoint at;
  final VertxPort port;
  final Map<Subscriber, Future<Subscription>> subscriptions = new HashMap<>();
  private final Deque<Link> idle = new ArrayDeque<>();
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
    if (idle.isEmpty() && port.connections.size() >= Clients.MOST) {
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
    Future<Subscription> ended = subscriptions.remove(subscriber);
    if (ended != null) {
      ended.onSuccess(subscription -> subscription.end(Link.gone()));
    }
  }

  /** Ends all subscriptions, and says so. */
  void interrupt() {
    List.copyOf(subscriptions.values()).forEach(s -> s.onSuccess(made -> made.end(Link.gone())));
  }

  private <L> Future<L> connect(Function<RedisConnection, L> use) {
    if (client == null) {
      client = port.clients.create(port.vertx, at);
    }
    Future<RedisConnection> connecting = client.connect();
    port.connections.add(connecting);
    return connecting
        .compose(
            made -> Future.all(port.clients.greeting().stream().map(made::send).toList()).map(made))
        .timeout(port.context.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(error -> failed(connecting, error))
        .map(use);
  }

  private <T> Future<T> failed(Future<RedisConnection> connecting, Throwable error) {
    connecting // now or later
        .onSuccess(Link::discard)
        .onComplete(done -> port.connections.remove(connecting));
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
      Clients.close(client);
      client = null;
    }
  }

  void close() {
    reset();
    interrupt();
  }
}
