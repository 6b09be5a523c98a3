package io.leasehold.provider.vertx;

import io.leasehold.redis.ClusterSlots;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.RedisServers.Topology;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.LockUrl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Redis servers, reached by clients of Vert.x. Nodes of a cluster are reached by the standalone
 * client: the driver's cluster client repeats commands, does not follow MOVED in a batch, keeps
 * connections that broke, and subscribes at any node.
 *
 * <p>One event loop makes all connections and keeps all state, so that no class here needs a lock.
 */
final class VertxPort implements DriverPort {
  private static final int MOST_REDIRECTIONS = 5;

  final Clients clients;
  final PortContext context;
  final Vertx vertx;
  final Set<Future<RedisConnection>> connections = new LinkedHashSet<>(); // and those to come
  boolean closed;
  private final Context loop;
  private final Deadlines deadlines;
  private final boolean clustered;
  private final Map<Endpoint, Node> nodes = new HashMap<>();
  private @Nullable Node[] owners = new Node[ClusterSlots.COUNT];
  private Future<?> refreshing = Future.succeededFuture();

  VertxPort(Clients clients, PortContext context) {
    this.clients = clients;
    this.context = context;
    this.deadlines = new Deadlines(context);
    this.vertx = clients.vertx() == null ? small() : clients.vertx();
    // On a thread without a context: that of a verticle would close our connections at its end.
    this.loop =
        CompletableFuture.supplyAsync(
                vertx::getOrCreateContext, task -> new Thread(task, "leasehold-vertx").start())
            .join();
    this.clustered = clients.servers().topology() == Topology.CLUSTER;
    any();
  }

  /**
   * How to reach servers: with the client that the application lent; or with one that is made, in
   * the application's Vert.x if there is one. The greeting is sent when the driver has connected.
   */
  record Clients(
      @Nullable Vertx vertx,
      RedisServers servers,
      RedisOptions options,
      List<Request> greeting,
      @Nullable Redis lent)
      implements RedisLockProvider.Client {

    @Override
    public DriverPort open(LockUrl url, PortContext context) {
      return new VertxPort(this, context);
    }
  }

  /** Commands for a connection, which is theirs alone or not. */
  final class Call {
    final List<RedisCommand> commands;
    final boolean alone;
    Runnable late = () -> {};
    final CompletableFuture<List<Object>> replies = deadlines.reply(() -> run(() -> late.run()));

    Call(List<RedisCommand> commands, boolean alone) {
      this.commands = commands;
      this.alone = alone;
    }
  }

  private static Vertx small() {
    FileSystemOptions noFiles =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    VertxOptions options = new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true);
    return Vertx.vertx(options.setFileSystemOptions(noFiles));
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return send(command, call -> send(key, call));
  }

  CompletionStage<Object> send(RedisCommand command, Function<Call, Future<List<Object>>> way) {
    Call call = new Call(List.of(command), false);
    return complete(call.replies, () -> way.apply(call)).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    Call call = new Call(commands, true);
    return complete(call.replies, () -> send(key, call));
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> all) {
    return IntStream.range(0, keys.size()).mapToObj(i -> send(keys.get(i), all.get(i))).toList();
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return complete(deadlines.reply(), () -> refresh().map(done -> List.copyOf(nodes.values())));
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return complete(
        deadlines.reply(), () -> owner(key).compose(node -> node.subscribe(channel, subscriber)));
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    run(() -> nodes.values().forEach(node -> node.unsubscribe(subscriber)));
  }

  /** Runs a task on the loop, later, unless the port is closed by then. */
  void run(Runnable task) {
    var unused = complete(new CompletableFuture<Void>(), () -> Future.future(p -> task.run()));
  }

  /** Does something on the loop, later, and completes a promise with what comes of it. */
  private <T> CompletableFuture<T> complete(CompletableFuture<T> result, Supplier<Future<T>> task) {
    try {
      loop.runOnContext(
          go ->
              Future.succeededFuture()
                  .compose(ready -> closed ? Future.failedFuture("closed") : task.get())
                  .onSuccess(result::complete)
                  .onFailure(error -> result.completeExceptionally(reason(error))));
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      result.completeExceptionally(RedisConnectionFailure.closed());
    }
    return result;
  }

  private RuntimeException reason(Throwable error) {
    return closed ? RedisConnectionFailure.closed() : Link.failure(error);
  }

  /** Waits for the end, but not for attempts to connect that take long. */
  @Override
  public void close() {
    CompletableFuture<Void> ended = complete(new CompletableFuture<>(), this::end);
    if (!Context.isOnEventLoopThread()) {
      Ending.await(ended, Duration.ofSeconds(3));
    }
  }

  private Future<Void> end() {
    closed = true;
    nodes.values().forEach(Node::close);
    List.copyOf(connections).forEach(each -> each.onSuccess(Link::discard));
    if (clients.vertx() != null) {
      return Future.succeededFuture();
    }
    // A loop that ends while it begins to connect leaves the socket open for ever. TCP and TLS have
    // a timeout each; 4.5 forgets some connections that were refused.
    return Future.join(List.copyOf(connections))
        .timeout(2 * context.connectTimeout().toMillis() + 1_000, TimeUnit.MILLISECONDS)
        .transform(all -> vertx.close());
  }

  private Node node(Endpoint endpoint) {
    return nodes.computeIfAbsent(endpoint, at -> new Node(at, this));
  }

  private Future<Node> owner(byte[] key) {
    int slot = clustered ? ClusterSlots.of(key) : 0;
    return (owners[slot] == null ? refresh() : Future.succeededFuture())
        .map(done -> Objects.requireNonNullElseGet(owners[slot], this::any));
  }

  /** The only server, or one that can say what is wrong with a slot. */
  private Node any() {
    return node(clients.servers().endpoints().get(0));
  }

  private Future<List<Object>> send(byte[] key, Call call) {
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
    Node to = node(next.host(), next.port(), from);
    if (!next.ask()) {
      refresh(to.at);
    }
    return to;
  }

  /** What a node calls another one; a missing host means its own. */
  private Node node(String host, int port, Node asked) {
    boolean own = host.isEmpty() || host.equals("?");
    return node(Endpoint.data(own ? asked.at.host() : host, port));
  }

  /** Asks one node after the other who has which slot, beginning with those that should know. */
  Future<?> refresh(Endpoint... first) {
    if (clustered && !closed && refreshing.isComplete()) {
      Set<Endpoint> candidates = new LinkedHashSet<>(List.of(first));
      candidates.addAll(nodes.keySet());
      candidates.addAll(clients.servers().endpoints());
      refreshing = ask(new ArrayList<>(candidates));
    }
    return refreshing;
  }

  private Future<Boolean> ask(List<Endpoint> candidates) {
    Node next = node(candidates.remove(0));
    RedisCommand slots = RedisCommand.of("CLUSTER", "SLOTS");
    return next.send(new Call(List.of(slots), false), false)
        .map(replies -> learn(replies.get(0), next))
        .recover(e -> candidates.isEmpty() || closed ? Future.failedFuture(e) : ask(candidates));
  }

  private boolean learn(Object reply, Node asked) {
    if (reply instanceof RedisErrorReply refused) {
      throw refused;
    }
    @Nullable Node[] now = new Node[ClusterSlots.COUNT];
    for (Object each : (List<?>) reply) {
      List<?> range = (List<?>) each;
      List<?> primary = (List<?>) range.get(2);
      String host =
          primary.get(0) instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
      Node owner = node(host, ((Long) primary.get(1)).intValue(), asked);
      int last = ((Long) range.get(1)).intValue();
      Arrays.fill(now, ((Long) range.get(0)).intValue(), last + 1, owner);
    }
    List<Node> left = new ArrayList<>(nodes.values());
    if (!Arrays.equals(now, owners)) {
      owners = now;
      left.forEach(Node::interrupt);
    }
    left.removeAll(Arrays.asList(now));
    left.forEach(Node::close);
    return nodes.values().removeAll(left);
  }
}
