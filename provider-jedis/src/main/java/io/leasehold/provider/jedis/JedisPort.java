package io.leasehold.provider.jedis;

import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.Deadlines;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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

  private record Place(Node node, Subscriber subscriber) {}

  private final PortContext context;
  private final Supplier<Servers> opening; // may block
  private final Deadlines deadlines;
  private final Set<CompletableFuture<Object>> calls = ConcurrentHashMap.newKeySet();
  private final Map<Place, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), JedisPort::daemon);
  private volatile CompletableFuture<Servers> opened =
      CompletableFuture.failedFuture(RedisConnectionFailure.closed());
  private volatile boolean connected;
  private volatile boolean closed;

  JedisPort(PortContext context, Supplier<Servers> opening) {
    this.context = context;
    this.opening = opening;
    this.deadlines = new Deadlines(context);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "leasehold-jedis");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((same, error) -> {}); // of closing what is broken
    return thread;
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
    List<Object> replies = exchange(call, servers.owner(key), commands);
    Optional<Redirection> to = Redirection.of(replies.get(0));
    for (int hops = 0; hops < REDIRECTIONS && to.isPresent() && servers.isCluster(); hops++) {
      if (!to.get().ask()) {
        doubt(key, Duration.ZERO);
      }
      Node node = servers.at(to.get().host() + ":" + to.get().port());
      List<RedisCommand> again = new ArrayList<>(commands);
      again.add(0, RedisCommand.of("ASKING")); // does nothing where the slot has moved to
      replies = exchange(call, node, again).subList(1, again.size());
      to = Redirection.of(replies.get(0));
    }
    return replies;
  }

  private List<Object> exchange(
      CompletableFuture<Object> call, Node node, List<RedisCommand> commands) {
    Connection connection = node.take(call, context.commandTimeout(), threads);
    connected = true;
    return node.exchange(call, connection, commands, threads);
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
            sent.put(
                node,
                CompletableFuture.supplyAsync(
                    () -> exchange(call, node, batch).iterator(), threads)));
    List<CompletionStage<Object>> replies = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      List<RedisCommand> one = List.of(commands.get(i));
      var received = Objects.requireNonNull(sent.get(owners.get(i)));
      replies.add(
          stage(
              key,
              unused -> {
                Object reply = Node.await(call, received).next();
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
      return node.address();
    }

    @Override
    public CompletionStage<Object> send(RedisCommand command) {
      return port.stage(Servers.NO_KEY, call -> port.exchange(call, node, List.of(command)).get(0));
    }
  }

  @SuppressWarnings("CollectionUndefinedEquality") // identity is meant
  private <T> CompletableFuture<T> stage(byte[] key, Function<CompletableFuture<Object>, T> work) {
    CompletableFuture<Object> call = connected ? deadlines.reply() : new CompletableFuture<>();
    if (!connected) { // the first connection may take its time
      Runnable late = () -> call.completeExceptionally(RedisConnectionFailure.timeout(null));
      long nanos = context.connectTimeout().plus(context.commandTimeout()).toNanos();
      context.scheduler().schedule(late, nanos);
    }
    calls.add(call);
    try {
      return closed
          ? CompletableFuture.failedFuture(RedisConnectionFailure.closed())
          : CompletableFuture.completedFuture(work.apply(call));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(failed(key, e));
    } finally {
      call.complete("");
      calls.remove(call);
    }
  }

  /** What a failure means. If a server may be gone, has the driver look for another. */
  private RuntimeException failed(byte[] key, RuntimeException error) {
    if (closed) {
      return RedisConnectionFailure.closed();
    }
    RuntimeException failure = Node.ofConnecting(error);
    if (failure instanceof RedisConnectionFailure gone && gone.kind() != FailureKind.OVERLOADED) {
      doubt(key, context.commandTimeout());
    }
    return failure;
  }

  /** Another server may own the key. Those that have heard nothing for a time subscribe again. */
  private void doubt(byte[] key, Duration time) {
    context.doubt().run();
    var unused =
        opened.thenAcceptAsync(
            servers -> {
              servers.renewal().accept(key);
              long since = System.nanoTime() - time.toNanos();
              subscriptions.values().stream()
                  .filter(each -> each.heardNanos - since < 0)
                  .forEach(Subscription::end);
            },
            threads);
  }

  private Servers servers(CompletableFuture<Object> call) {
    return Node.await(call, opened.isCompletedExceptionally() ? open() : opened);
  }

  /** Has another thread try again to find the servers, unless one does so. */
  private synchronized CompletableFuture<Servers> open() {
    if (opened.isCompletedExceptionally() && !closed) {
      opened = CompletableFuture.supplyAsync(opening, threads);
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
            threads.execute(() -> made.run(place, key, channel));
          }
          return Node.await(call, there == null ? made.confirmed : there.confirmed);
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
    closed = true;
    subscriptions.keySet().forEach(this::forget);
    // First: a closed pool does not replace what breaks.
    Ending.await(open().thenAcceptAsync(Servers::close, threads), Duration.ofSeconds(1));
    calls.forEach(call -> call.completeExceptionally(RedisConnectionFailure.closed()));
    threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS); // they end
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
        Node.send(opened, RedisCommand.of("SSUBSCRIBE", channel));
      }
      Node.send(opened, RedisCommand.of("SUBSCRIBE", channel));
      while (!confirmed.isCompletedExceptionally() && !closed) {
        Object reply = opened.getMany(1).get(0);
        if (reply instanceof List<?> parts) {
          heardNanos = System.nanoTime();
          String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
          if (kind.endsWith("message")) {
            place.subscriber.message((byte[]) parts.get(2));
          } else if (kind.equals("subscribe")) {
            opened.setSoTimeout(60_000); // firewalls forget idle connections
            confirmed.complete(true);
          } else if (kind.equals("sunsubscribe")) {
            throw new JedisConnectionException("the slot has moved");
          }
        } else if (!String.valueOf(reply).contains("unknown command")) { // before Redis 7
          throw (JedisDataException) reply;
        }
      }
    }

    /** Ends the connection, and with it the thread. Does not wait. */
    private void end() {
      confirmed.completeExceptionally(RedisConnectionFailure.lost(null));
      Optional.ofNullable(connection).ifPresent(last -> threads.execute(() -> Node.end(last)));
    }
  }
}
