package io.leasehold.provider.lettuce;

import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Sends commands on connections of Lettuce. Never blocks, except in {@link #close()}.
 *
 * <p>When a connection to a server breaks, or a call on it times out, or the server is the primary
 * no more, all connections to the server are left and new ones made. Lettuce repairs none: it would
 * repeat what was under way, or with a {@code replayFilter} forget it without completing it.
 */
final class LettucePort implements DriverPort {
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final int MOST_REDIRECTIONS = 5;
  private static final int COMMANDS = 0;
  private static final int SUBSCRIPTIONS = -1;

  private static final Set<String> ANOTHER_TOOK_OVER =
      Set.of("READONLY", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS");

  private final Connector connector;
  private final PortContext context;
  private final Runnable ending;
  private final Deadlines deadlines;
  private final Disposable changes;

  /** Lanes of calls that want a connection for themselves; 32 of them may wait for replicas. */
  private final Deque<Integer> alone =
      new ConcurrentLinkedDeque<>(IntStream.rangeClosed(1, 32).boxed().toList());

  private final Map<Endpoint, Server> servers = new ConcurrentHashMap<>();

  /** Those to which connections are open, also after they were left. */
  private final Set<Server> used = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /** The last argument closes the client, unless the application handed it in. */
  LettucePort(Connector connector, PortContext context, Runnable ending) {
    this.connector = connector;
    this.context = context;
    this.ending = ending;
    this.deadlines = new Deadlines(context);
    this.changes =
        connector.onChange(
            () -> {
              open().forEach(Connection::interrupt);
              context.doubt().run();
            });
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return send(connector.owner(key), command);
  }

  private CompletionStage<Object> send(CompletionStage<Endpoint> to, RedisCommand command) {
    return new Call<>(COMMANDS, (on, ask) -> on.send(command, ask)).to(to, false);
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    Integer lane = alone.poll();
    return lane == null
        ? CompletableFuture.failedStage(RedisConnectionFailure.overloaded())
        : new Call<>(lane, (on, ask) -> on.send(commands, ask))
            .to(connector.owner(key), false)
            .whenComplete((replies, error) -> alone.push(lane));
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    return IntStream.range(0, keys.size())
        .mapToObj(i -> send(keys.get(i), commands.get(i)))
        .toList();
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    CompletableFuture<List<Primary>> reply = deadlines.reply();
    connector
        .primaries()
        .thenAccept(all -> reply.complete(all.stream().<Primary>map(this::server).toList()))
        .exceptionally(error -> fail(reply, error));
    return reply;
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return new Call<>(SUBSCRIPTIONS, (on, ask) -> on.subscribe(channel, subscriber))
        .to(connector.owner(key), false);
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    open().forEach(connection -> connection.unsubscribe(subscriber));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      changes.dispose();
      Ending.await(open().map(connection -> connection.whole.closeAsync()), CLOSE_TIMEOUT);
      ending.run();
    }
  }

  private Server server(Endpoint endpoint) {
    if (closed) {
      throw RedisConnectionFailure.closed();
    }
    Server known = servers.get(endpoint);
    return known == null ? servers.computeIfAbsent(endpoint, Server::new) : known;
  }

  private Stream<Connection> open() {
    return used.stream().flatMap(server -> server.open.stream());
  }

  private @Nullable Void fail(CompletableFuture<?> reply, Throwable error) {
    reply.completeExceptionally(
        closed ? RedisConnectionFailure.closed() : Connector.notAnswered(error));
    return null;
  }

  /** The connections to one server, from the first use to the first trouble. */
  private final class Server implements Primary {
    private final Endpoint endpoint;
    private final Map<Integer, CompletableFuture<Connection>> lanes = new ConcurrentHashMap<>();
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    Server(Endpoint endpoint) {
      this.endpoint = endpoint;
      used.add(this);
    }

    @Override
    public String address() {
      return endpoint.toString();
    }

    @Override
    public CompletionStage<Object> send(RedisCommand command) {
      return LettucePort.this.send(CompletableFuture.completedStage(endpoint), command);
    }

    CompletableFuture<Connection> connect(int lane) {
      return CompletableFuture.completedFuture(endpoint)
          .thenCompose(lane == SUBSCRIPTIONS ? connector.subscriptions : connector.commands)
          .handle(
              (made, error) -> {
                if (error != null) {
                  connector.refresh(); // the server may have been replaced
                  throw Connector.notConnected(error);
                }
                open.add(made);
                made.onBreak(this::leave);
                if (closed || servers.get(endpoint) != this) {
                  close(made);
                }
                return made;
              });
    }

    /** The next call connects anew. What is pending here has its own deadline. */
    void leave() {
      if (!closed && servers.remove(endpoint, this)) {
        context.scheduler().schedule(this::close, context.commandTimeout().toNanos());
        connector.refresh();
        context.doubt().run();
        open.forEach(Connection::interrupt);
      }
    }

    private void close() {
      used.remove(this);
      open.forEach(this::close);
    }

    private void close(Connection connection) {
      if (open.remove(connection)) {
        var unused = connection.whole.closeAsync();
        connection.interrupt(); // after it: what is begun on it must fail from now on
      }
    }
  }

  /** What is done on a connection to the server that owns a key. */
  private final class Call<T> implements Runnable {
    private final int lane;

    /** Gets the connection, and whether to ask a server that does not own the key yet. */
    private final BiFunction<Connection, Boolean, CompletionStage<T>> action;

    private final CompletableFuture<T> reply;
    private volatile @Nullable Server server;
    private int redirections;

    Call(int lane, BiFunction<Connection, Boolean, CompletionStage<T>> action) {
      this.lane = lane;
      this.action = action;
      this.reply = deadlines.reply(this);
    }

    CompletionStage<T> to(CompletionStage<Endpoint> endpoint, boolean ask) {
      endpoint.thenAccept(found -> to(server(found), ask)).exceptionally(this::failed);
      return reply;
    }

    private void to(Server at, boolean ask) {
      CompletionStage<Connection> connected = at.lanes.computeIfAbsent(lane, at::connect);
      connected.thenAccept(connection -> act(at, connection, ask)).exceptionally(this::failed);
    }

    private void act(Server at, Connection connection, boolean ask) {
      if (!reply.isDone()) { // connecting may have taken too long
        server = at;
        CompletionStage<T> done = action.apply(connection, ask);
        done.thenAccept(value -> replied(at, value)).exceptionally(this::failed);
      }
    }

    private void replied(Server at, T value) {
      Object first = lane > 0 ? ((List<?>) value).get(0) : value;
      Redirection to = Redirection.of(first).orElse(null);
      if (to != null && connector.cluster != null && redirections++ < MOST_REDIRECTIONS) {
        if (!to.ask()) {
          connector.refresh();
        }
        String host = to.host().isEmpty() ? at.endpoint.host() : to.host();
        to(server(Endpoint.data(host, to.port())), to.ask());
        return;
      }
      if (first instanceof RedisErrorReply error && ANOTHER_TOOK_OVER.contains(error.code())) {
        at.leave();
      }
      reply.complete(value);
    }

    /** No reply came in time. */
    @Override
    public void run() {
      failed(
          server == null
              ? RedisConnectionFailure.unreachable("not connected in time", null)
              : RedisConnectionFailure.timeout(null));
    }

    /**
     * The caller, who may try again at once, hears of it when nothing that failed is in the way.
     */
    private @Nullable Void failed(Throwable error) {
      servers
          .values()
          .forEach(
              each -> each.lanes.values().removeIf(CompletableFuture::isCompletedExceptionally));
      Server at = server;
      if (at != null
          && Connector.notAnswered(error) instanceof RedisConnectionFailure failure
          && failure.kind() != FailureKind.OVERLOADED) {
        at.leave();
      }
      return fail(reply, error);
    }
  }
}
