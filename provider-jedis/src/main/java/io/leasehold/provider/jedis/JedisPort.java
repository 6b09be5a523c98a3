package io.leasehold.provider.jedis;

import io.leasehold.provider.jedis.Servers.Node;
import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.FailureKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The port on Jedis. It blocks: a call takes a connection from the driver's pool for the owner of
 * the key, and uses it alone until all replies have come.
 */
final class JedisPort implements DriverPort {
  private static final int REDIRECTIONS = 5;

  /** After so long without a message a subscription ends: firewalls forget idle connections. */
  private static final int IDLE_MILLIS = 60_000;

  private record Place(Node node, Subscriber subscriber) {}

  private final PortContext context;
  private final Supplier<Servers> opening; // may block
  private final Calls calls;
  private final Map<Place, Subscription> subscriptions = new ConcurrentHashMap<>();
  private volatile CompletableFuture<Servers> opened =
      CompletableFuture.failedFuture(RedisConnectionFailure.closed());

  JedisPort(PortContext context, Supplier<Servers> opening) {
    this.context = context;
    this.opening = opening;
    this.calls = new Calls(context);
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return stage(key, call -> exchange(call, key, List.of(command)).get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    return stage(key, call -> exchange(call, key, commands));
  }

  /** Sends commands; again where a server says that the first of them belongs elsewhere. */
  private List<Object> exchange(
      CompletableFuture<Object> call, byte[] key, List<RedisCommand> commands) {
    Servers servers = servers(call);
    List<Object> replies = calls.exchange(call, servers.owner(key), commands);
    for (int hops = 0; hops < REDIRECTIONS && servers.isCluster(); hops++) {
      Optional<Redirection> to = Redirection.of(replies.get(0));
      if (to.isEmpty()) {
        break;
      }
      if (!to.get().ask()) {
        doubt(key, Duration.ZERO);
      }
      Node node = servers.at(to.get().host() + ":" + to.get().port());
      List<RedisCommand> again = new ArrayList<>(commands);
      again.add(0, RedisCommand.of("ASKING")); // does nothing where the slot has moved to
      replies = calls.exchange(call, node, again).subList(1, again.size());
    }
    return replies;
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    return stage(Servers.NO_KEY, call -> sendAll(call, keys, commands))
        .exceptionally(
            error -> keys.stream().map(key -> CompletableFuture.failedStage(error)).toList())
        .join();
  }

  /** Another thread sends to each server, so that none waits for the replies of another. */
  private List<CompletionStage<Object>> sendAll(
      CompletableFuture<Object> call, List<byte[]> keys, List<RedisCommand> commands) {
    List<Node> owners = keys.stream().map(servers(call)::owner).toList();
    Map<Node, List<RedisCommand>> batches = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      batches.computeIfAbsent(owners.get(i), node -> new ArrayList<>()).add(commands.get(i));
    }
    Map<Node, CompletableFuture<Iterator<Object>>> sent = new HashMap<>();
    batches.forEach(
        (node, batch) ->
            sent.put(node, calls.ask(() -> calls.exchange(call, node, batch).iterator())));
    List<CompletionStage<Object>> replies = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      List<RedisCommand> one = List.of(commands.get(i));
      var received = Objects.requireNonNull(sent.get(owners.get(i)));
      replies.add(
          stage(
              key,
              unused -> {
                Object reply = Calls.await(call, received).next();
                return Redirection.of(reply).isPresent() ? exchange(call, key, one).get(0) : reply;
              }));
    }
    return replies;
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return stage(
        Servers.NO_KEY,
        call -> servers(call).primaries().<Primary>map(it -> new Server(this, it)).toList());
  }

  private record Server(JedisPort port, Node node) implements Primary {
    @Override
    public String address() {
      return node.address().toString();
    }

    @Override
    public CompletionStage<Object> send(RedisCommand command) {
      return port.stage(
          Servers.NO_KEY, call -> port.calls.exchange(call, node, List.of(command)).get(0));
    }
  }

  private <T> CompletableFuture<T> stage(byte[] key, Function<CompletableFuture<Object>, T> work) {
    CompletableFuture<Object> call = calls.begin();
    try {
      return CompletableFuture.completedFuture(work.apply(call));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(failed(key, e));
    } finally {
      calls.end(call);
    }
  }

  private RuntimeException failed(byte[] key, RuntimeException error) {
    if (calls.closed) {
      return RedisConnectionFailure.closed();
    }
    RuntimeException failure = Calls.ofConnecting(error);
    if (failure instanceof RedisConnectionFailure gone && gone.kind() != FailureKind.OVERLOADED) {
      doubt(key, context.commandTimeout());
    }
    return failure;
  }

  /**
   * Another server may own the key. Has the driver look, and subscribers that have heard nothing
   * for a time subscribe again. Does not wait.
   */
  private void doubt(byte[] key, Duration time) {
    context.doubt().run();
    calls.later(
        () -> {
          try {
            opened.join().renewal().accept(key);
          } finally {
            long since = System.nanoTime() - time.toNanos();
            subscriptions.values().stream()
                .filter(each -> each.heardNanos - since < 0)
                .forEach(Subscription::end);
          }
        });
  }

  private Servers servers(CompletableFuture<Object> call) {
    return Calls.await(call, opened.isCompletedExceptionally() ? open() : opened);
  }

  /** Has another thread try again to find the servers, unless one does so. */
  private synchronized CompletableFuture<Servers> open() {
    if (opened.isCompletedExceptionally() && !calls.closed) {
      opened = calls.ask(opening);
    }
    return opened;
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return stage(
        key,
        call -> {
          Place place = new Place(servers(call).owner(key), subscriber);
          Subscription made = new Subscription();
          Subscription there = subscriptions.putIfAbsent(place, made);
          if (there == null) {
            calls.later(() -> made.run(place, key, channel));
          }
          return Calls.await(call, there == null ? made.confirmed : there.confirmed);
        });
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    subscriptions.keySet().stream()
        .filter(place -> place.subscriber.equals(subscriber))
        .forEach(this::forget);
  }

  private void forget(Place place) {
    Optional.ofNullable(subscriptions.remove(place)).ifPresent(Subscription::end);
  }

  @Override
  public void close() {
    calls.closed = true;
    subscriptions.keySet().forEach(this::forget);
    // First: a closed pool does not replace what breaks.
    Ending.await(open().thenAcceptAsync(Servers::close, calls.threads), Duration.ofSeconds(1));
    calls.end();
  }

  /** A channel on one server: a connection, and a thread that reads it. */
  private final class Subscription {
    private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
    private volatile @Nullable Connection connection;
    private volatile long heardNanos = System.nanoTime();

    private void run(Place place, byte[] key, byte[] channel) {
      try {
        read(place, channel);
      } catch (Exception e) {
        confirmed.completeExceptionally(e);
      }
      end();
      if (subscriptions.remove(place, this) && !confirmed.isCompletedExceptionally()) {
        doubt(key, context.commandTimeout());
        place.subscriber.interrupted();
      }
    }

    private void read(Place place, byte[] channel) throws Exception {
      Connection opened = place.node.connect();
      connection = opened;
      if (place.subscriber.sharded()) {
        Calls.send(opened, RedisCommand.of("SSUBSCRIBE", channel));
      }
      Calls.send(opened, RedisCommand.of("SUBSCRIBE", channel));
      while (!confirmed.isCompletedExceptionally() && !calls.closed) {
        List<?> parts;
        try {
          parts = (List<?>) opened.getOne();
        } catch (JedisDataException e) {
          if (String.valueOf(e.getMessage()).contains("unknown command")) {
            continue; // before Redis 7 there are no shard channels
          }
          throw e;
        }
        heardNanos = System.nanoTime();
        String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
        if (kind.endsWith("message")) {
          place.subscriber.message((byte[]) parts.get(2));
        } else if (kind.equals("subscribe")) {
          opened.setSoTimeout(IDLE_MILLIS);
          confirmed.complete(true);
        } else if (kind.equals("sunsubscribe")) {
          throw new JedisConnectionException("the slot has moved");
        }
      }
    }

    /** Ends the connection, and with it the thread. Does not wait. */
    private void end() {
      confirmed.completeExceptionally(RedisConnectionFailure.lost(null));
      Connection last = connection;
      if (last != null) {
        calls.later(() -> Node.end(last));
      }
    }
  }
}
