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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Sends commands on connections of Lettuce. Never blocks, except in {@link #close()}.
 *
 * <p>When a connection breaks or falls silent, or its server is the primary no more, the port
 * leaves all its connections to the server and makes new ones. It never lets Lettuce repair one:
 * Lettuce would repeat what was under way, or with a {@code replayFilter} forget it without
 * completing it.
 */
final class LettucePort implements DriverPort {
  private static final int MOST_REDIRECTIONS = 5;

  /** How many calls may wait for replicas at once. */
  private static final int MOST_ALONE = 32;

  private static final RedisCommand ASKING = RedisCommand.of("ASKING");
  private static final Set<String> ANOTHER_TOOK_OVER =
      Set.of("READONLY", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS");

  private final Connector connector;
  private final PortContext context;
  private final Runnable ending;
  private final Deadlines deadlines;
  private final Disposable changes;
  private final Semaphore alone = new Semaphore(MOST_ALONE);
  private final Map<Endpoint, Server> servers = new ConcurrentHashMap<>();

  /** All that are open, also those that were left. */
  private final Map<Connection, Server> open = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * @param ending closes the client, unless the application handed it in
   */
  LettucePort(Connector connector, PortContext context, Runnable ending) {
    this.connector = connector;
    this.context = context;
    this.ending = ending;
    this.deadlines = new Deadlines(context);
    this.changes = connector.onChange(() -> listening().forEach(Connection::interrupt));
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
    return new Exchange<>(List.of(command), false, replies -> replies.get(0)).with(to, false);
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    if (!alone.tryAcquire()) {
      return CompletableFuture.failedStage(RedisConnectionFailure.overloaded());
    }
    return new Exchange<>(commands, true, replies -> replies)
        .with(connector.owner(key), false)
        .whenComplete((replies, error) -> alone.release());
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> replies = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      replies.add(send(keys.get(i), commands.get(i)));
    }
    return replies;
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    CompletableFuture<List<Primary>> result = deadlines.reply();
    pass(connector.primaries().thenApply(all -> all.stream().map(this::primary).toList()), result);
    return result;
  }

  private Primary primary(Endpoint endpoint) {
    return new Primary() {
      @Override
      public String address() {
        return endpoint.toString();
      }

      @Override
      public CompletionStage<Object> send(RedisCommand command) {
        return LettucePort.this.send(CompletableFuture.completedStage(endpoint), command);
      }
    };
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    CompletableFuture<Void> confirmed = deadlines.reply();
    pass(
        connector
            .owner(key)
            .thenCompose(endpoint -> server(endpoint).subscribe(channel, subscriber)),
        confirmed);
    return confirmed;
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    listening().forEach(connection -> connection.unsubscribe(subscriber));
  }

  private Stream<Connection> listening() {
    return servers.values().stream().flatMap(Server::listening);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      changes.dispose();
      Ending.await(open.keySet().stream().map(Connection::close), LettuceClients.CLOSE_TIMEOUT);
      ending.run();
    }
  }

  private Server server(Endpoint endpoint) {
    return servers.computeIfAbsent(endpoint, Server::new);
  }

  /** Completes a reply as a stage completes; what it fails with is a failure of the port. */
  private <T> void pass(CompletionStage<T> stage, CompletableFuture<T> reply) {
    stage.whenComplete(
        (value, error) -> {
          if (error == null) {
            reply.complete(value);
          } else {
            fail(reply, error);
          }
        });
  }

  private void fail(CompletableFuture<?> reply, Throwable error) {
    reply.completeExceptionally(
        closed ? RedisConnectionFailure.closed() : LettuceErrors.ofCommand(error));
  }

  /** The connections to one server, from the first use to the first trouble. */
  private final class Server {
    private final Endpoint endpoint;
    private final AtomicBoolean used = new AtomicBoolean();
    private final AtomicBoolean listenedTo = new AtomicBoolean();
    private final CompletableFuture<Connection> commands = new CompletableFuture<>();
    private final CompletableFuture<Connection> subscriptions = new CompletableFuture<>();

    /** For calls that want a connection for themselves. */
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    Server(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    /** The connection that calls share. */
    CompletionStage<Connection> commands() {
      return commands.isDone() || !used.compareAndSet(false, true)
          ? commands
          : connect(connector.commands, commands);
    }

    /** A connection for one call; to be added to the idle ones when all replies have come. */
    CompletionStage<Connection> take() {
      Connection kept = idle.poll();
      return kept == null
          ? connect(connector.commands, new CompletableFuture<>())
          : CompletableFuture.completedStage(kept);
    }

    CompletionStage<Void> subscribe(byte[] channel, Subscriber subscriber) {
      CompletableFuture<Void> confirmed = deadlines.reply(this::leave);
      CompletionStage<Connection> connection =
          listenedTo.compareAndSet(false, true)
              ? connect(connector.subscriptions, subscriptions)
              : subscriptions;
      pass(connection.thenCompose(made -> made.subscribe(channel, subscriber)), confirmed);
      return confirmed;
    }

    /** The connection for subscriptions, if it is there. */
    Stream<Connection> listening() {
      return subscriptions.isDone() && !subscriptions.isCompletedExceptionally()
          ? Stream.of(subscriptions.join())
          : Stream.empty();
    }

    private CompletionStage<Connection> connect(
        Function<Endpoint, CompletionStage<Connection>> how, CompletableFuture<Connection> result) {
      CompletableFuture.completedStage(endpoint)
          .thenCompose(
              closed ? at -> CompletableFuture.failedStage(RedisConnectionFailure.closed()) : how)
          .whenComplete(
              (made, error) -> {
                if (error == null) {
                  open.put(made, this);
                  made.onBreak(this::leave);
                  if (closed || servers.get(endpoint) != this) {
                    close(made);
                  }
                  result.complete(made);
                } else {
                  leave();
                  result.completeExceptionally(LettuceErrors.ofConnecting(error));
                }
              });
      return result;
    }

    /** The next call connects anew. What is pending here has its own deadline. */
    void leave() {
      if (!closed && servers.remove(endpoint, this)) {
        listening().forEach(this::close);
        context.scheduler().schedule(this::close, context.commandTimeout().toNanos());
        connector.refresh();
        context.doubt().run();
      }
    }

    private void close() {
      open.forEach(
          (connection, server) -> {
            if (server == this) {
              close(connection);
            }
          });
    }

    private void close(Connection connection) {
      if (open.remove(connection) != null) {
        var unused = connection.close();
        connection.interrupt(); // after it: what is begun on it must fail from now on
      }
    }
  }

  /** Commands that go to one server, one behind the other. */
  private final class Exchange<T> implements Runnable {
    private final List<RedisCommand> commands;
    private final boolean exclusive;
    private final Function<List<Object>, T> result;
    private final CompletableFuture<T> reply;
    private @Nullable Server server;
    private volatile @Nullable Connection connection;
    private long before;
    private int redirections;

    /**
     * @param exclusive whether on a connection that no other call uses meanwhile
     */
    Exchange(List<RedisCommand> commands, boolean exclusive, Function<List<Object>, T> result) {
      this.commands = commands;
      this.exclusive = exclusive;
      this.result = result;
      this.reply = deadlines.reply(this);
    }

    CompletionStage<T> with(CompletionStage<Endpoint> endpoint, boolean ask) {
      endpoint.whenComplete(
          (at, error) -> {
            if (error == null) {
              with(server(at), ask);
            } else {
              fail(reply, error);
            }
          });
      return reply;
    }

    private void with(Server at, boolean ask) {
      CompletionStage<Connection> connected = exclusive ? at.take() : at.commands();
      connected.whenComplete(
          (found, error) -> {
            if (error != null) {
              fail(reply, error);
            } else if (!reply.isDone()) {
              send(at, found, ask);
            } else if (exclusive) { // connecting took too long
              at.idle.add(found);
            }
          });
    }

    private void send(Server at, Connection on, boolean ask) {
      server = at;
      before = on.replies.get();
      connection = on;
      CompletionStage<List<Object>> replies = CompletableFuture.completedStage(new ArrayList<>());
      for (RedisCommand command : commands) {
        if (ask) {
          on.send(ASKING);
        }
        replies =
            replies.thenCombine(
                on.send(command),
                (list, value) -> {
                  list.add(value);
                  return list;
                });
      }
      replies.whenComplete(
          (list, error) -> {
            if (error == null) {
              on.replies.incrementAndGet();
              replied(at, on, list);
            } else {
              fail(reply, error);
              if (exclusive) {
                at.leave();
              }
            }
          });
    }

    private void replied(Server at, Connection on, List<Object> replies) {
      if (exclusive && !reply.isDone()) {
        at.idle.add(on);
      }
      Object first = replies.get(0);
      Optional<Redirection> to =
          connector.isCluster() && redirections++ < MOST_REDIRECTIONS
              ? Redirection.of(first)
              : Optional.empty();
      if (to.isPresent()) {
        if (!to.get().ask()) {
          connector.refresh();
        }
        String host = to.get().host().isEmpty() ? at.endpoint.host() : to.get().host();
        with(server(Endpoint.data(host, to.get().port())), to.get().ask());
        return;
      }
      if (first instanceof RedisErrorReply error && ANOTHER_TOOK_OVER.contains(error.code())) {
        at.leave();
      }
      reply.complete(result.apply(replies));
    }

    /** No reply came in time. A server from which nothing came at all is left first. */
    @Override
    public void run() {
      Server at = server;
      Connection on = connection;
      if (at == null || on == null) {
        fail(reply, RedisConnectionFailure.unreachable("not connected in time", null));
      } else if (exclusive || on.replies.get() == before) {
        at.leave();
      }
    }
  }
}
