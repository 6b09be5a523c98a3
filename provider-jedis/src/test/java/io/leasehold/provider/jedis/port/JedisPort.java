package io.leasehold.provider.jedis.port;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * The port on Jedis. It blocks: a call takes a connection from the driver's pool for the owner of
 * the key, and uses it alone until all replies have come. Connections are made by a background
 * thread, so that a server which does not answer cannot hold the caller for longer than the call's
 * time. What a broken connection leaves to do is done there, too.
 */
public final class JedisPort implements DriverPort {
  private static final byte[] NO_KEY = {};
  private static final long CLOSE_MILLIS = 1_000;

  private record Subscribed(Object server, Subscriber subscriber) {}

  private final Calls calls;
  private final Router router;
  private final Map<Subscribed, Subscription> subscriptions = new ConcurrentHashMap<>();

  private JedisPort(PortContext context, Calls.Task<Servers> opening) {
    this.calls = new Calls(context);
    this.router = new Router(calls, opening, this::probe, this::changed);
  }

  /** A port with connections of its own, which are made when they are needed. */
  public static JedisPort open(
      RedisServers servers, ConnectionSettings settings, int poolSize, PortContext context) {
    OwnServers own = new OwnServers(settings, poolSize);
    return new JedisPort(context, () -> own.open(servers));
  }

  /**
   * A port on the connections of an application's provider, which is used as it is configured and
   * stays open. Its pools should have room for the subscriptions.
   */
  public static JedisPort using(ConnectionProvider provider, PortContext context) {
    Servers servers = GivenServers.of(provider);
    return new JedisPort(context, () -> servers);
  }

  /**
   * The same for a client: JedisPooled, JedisCluster, RedisClient, RedisClusterClient or, from
   * Jedis 8, RedisSentinelClient.
   *
   * @throws IllegalArgumentException if the client does not show its connections; hand in its
   *     provider then
   */
  public static JedisPort using(UnifiedJedis client, PortContext context) {
    Servers servers = GivenServers.of(client);
    return new JedisPort(
        context,
        () -> {
          servers.refresh(NO_KEY);
          return servers;
        });
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return stage(call -> exchange(call, key, List.of(command)).get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    return stage(call -> exchange(call, key, commands));
  }

  private List<Object> exchange(
      CompletableFuture<Object> call, byte[] key, List<RedisCommand> commands) {
    return router.exchange(call, router.owner(call, key), key, commands);
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    CompletableFuture<Object> call = calls.begin();
    try {
      return Batch.send(router, call, keys, commands);
    } finally {
      calls.end(call);
    }
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return stage(
        call -> {
          List<Primary> primaries = new ArrayList<>();
          for (Node node : router.servers(call).primaries()) {
            primaries.add(
                command ->
                    stage(each -> router.exchange(each, node, NO_KEY, List.of(command)).get(0)));
          }
          return primaries;
        });
  }

  /** What a call does. */
  private interface Work<T> {
    T run(CompletableFuture<Object> call) throws Exception;
  }

  private <T> CompletionStage<T> stage(Work<T> work) {
    CompletableFuture<Object> call = calls.begin();
    try {
      return CompletableFuture.completedFuture(work.run(call));
    } catch (Exception e) {
      return CompletableFuture.failedFuture(Failures.ofConnecting(e));
    } finally {
      calls.end(call);
    }
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return stage(
        call -> {
          Node node = router.owner(call, key);
          Subscribed id = new Subscribed(node.id(), subscriber);
          Subscription made = new Subscription(calls, node, channel, subscriber, () -> lost(key));
          Subscription joined = subscriptions.putIfAbsent(id, made);
          Subscription subscription = joined == null ? made : joined;
          if (joined == null) {
            made.start();
          }
          try {
            return Calls.await(call, subscription.confirmed);
          } catch (Exception e) {
            subscriptions.remove(id, subscription);
            subscription.end();
            throw router.failed(node, key, e);
          }
        });
  }

  private void lost(byte[] key) {
    calls.context.doubt().run();
    router.refresh(key);
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    end(id -> id.subscriber().equals(subscriber));
  }

  private void end(Predicate<Subscribed> which) {
    subscriptions.forEach(
        (id, subscription) -> {
          if (which.test(id) && subscriptions.remove(id, subscription)) {
            subscription.end();
          }
        });
  }

  private void probe() {
    subscriptions.values().forEach(Subscription::probe);
  }

  /** Other servers are primaries now: what listens to a former one ends, the others look again. */
  private void changed(List<Node> primaries) {
    List<Object> ids = primaries.stream().map(Node::id).toList();
    subscriptions.forEach(
        (id, subscription) -> {
          if (ids.contains(id.server())) {
            subscription.reconnect();
          } else {
            end(id::equals);
            id.subscriber().restored();
          }
        });
  }

  @Override
  public void close() {
    calls.close();
    List<Subscription> ending = List.copyOf(subscriptions.values());
    end(id -> true);
    router.close(CLOSE_MILLIS); // first: a closed pool does not replace what breaks
    calls.endAll();
    ending.forEach(subscription -> subscription.join(CLOSE_MILLIS));
  }
}
