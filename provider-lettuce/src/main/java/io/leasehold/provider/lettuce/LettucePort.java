package io.leasehold.provider.lettuce;

import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Sends commands on connections of Lettuce. Never blocks, except in {@link #close()}. */
final class LettucePort implements DriverPort {
  private static final int MOST_REDIRECTIONS = 5;
  private static final Set<String> ANOTHER_TOOK_OVER =
      Set.of("READONLY", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS");

  private final Connections connections;
  private final PortContext context;
  private final Deadlines deadlines;
  private final Sessions<Session> sessions;
  private final Subscriptions subscriptions;
  private final Runnable ending;
  private volatile boolean closed;

  /**
   * @param ending closes the client, unless the application handed it in
   */
  LettucePort(Connections connections, PortContext context, Runnable ending) {
    this.connections = connections;
    this.context = context;
    this.deadlines = new Deadlines(context);
    this.sessions =
        new Sessions<>(() -> connections.connect(this::broken), Session::close, context);
    this.subscriptions = new Subscriptions(connections, context, deadlines);
    this.ending = ending;
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    SharedCall call = new SharedCall(key, command);
    CompletableFuture<Session> session = sessions.shared();
    if (Stages.isThere(session)) {
      call.on(session.join());
    } else {
      Stages.then(
          session,
          (made, error) -> {
            if (error == null) {
              call.on(made);
            } else {
              call.failed(error);
            }
          });
    }
    return call.reply;
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
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    CompletableFuture<List<Object>> result = deadlines.reply();
    Stages.then(
        sessions.take(),
        (session, error) -> {
          if (error != null) {
            fail(result, error);
          } else if (result.isDone()) { // connecting took too long
            sessions.giveBack(session);
          } else {
            sendAlone(session, key, commands, result);
          }
        });
    return result;
  }

  private void sendAlone(
      Session session,
      byte[] key,
      List<RedisCommand> commands,
      CompletableFuture<List<Object>> result) {
    Stages.then(
        together(session, session.owner(key), commands, false, 0),
        (replies, error) -> {
          if (error == null && !result.isDone()) {
            sessions.giveBack(session);
            result.complete(replies);
          } else {
            sessions.drop(session);
            fail(result, error == null ? RedisConnectionFailure.timeout(null) : error);
          }
        });
    Stages.then(
        result,
        (replies, error) -> {
          if (error != null) { // a reply that never comes must not keep it open
            session.close();
          }
        });
  }

  /** Sends commands to a node, one behind the other, and follows what it says to the first. */
  private CompletableFuture<List<Object>> together(
      Session session,
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node,
      List<RedisCommand> commands,
      boolean ask,
      int redirections) {
    return node.thenCompose(
        connection -> {
          if (ask) {
            connection.dispatch(asking());
          }
          List<CompletableFuture<Object>> replies = new ArrayList<>();
          for (RedisCommand command : commands) {
            replies.add(dispatch(connection, command));
          }
          return Stages.all(replies)
              .thenCompose(
                  values -> {
                    Optional<Redirection> to = Redirection.of(values.get(0));
                    return to.isEmpty() || redirections == MOST_REDIRECTIONS
                        ? CompletableFuture.completedFuture(values)
                        : together(
                            session,
                            follow(session, to.get()),
                            commands,
                            to.get().ask(),
                            redirections + 1);
                  });
        });
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> follow(
      Session session, Redirection to) {
    if (!to.ask()) {
      connections.refresh();
    }
    return session.node(to.host(), to.port());
  }

  /** What makes the next command count as redirected; if it fails, the next one does, too. */
  private static Call asking() {
    return Call.of(RedisCommand.of("ASKING"), value -> {}, error -> {});
  }

  /** Sends a command without a deadline of its own. */
  private static CompletableFuture<Object> dispatch(
      StatefulRedisConnection<byte[], byte[]> connection, RedisCommand command) {
    CompletableFuture<Object> reply = new CompletableFuture<>();
    try {
      connection.dispatch(Call.of(command, reply::complete, reply::completeExceptionally));
    } catch (RuntimeException e) { // the client is being closed, or its queue is full
      reply.completeExceptionally(e);
    }
    return reply;
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    CompletableFuture<List<Primary>> result = deadlines.reply();
    pass(sessions.shared().thenCompose(this::primaries), result);
    return result;
  }

  private CompletableFuture<List<Primary>> primaries(Session session) {
    List<CompletableFuture<Primary>> all = new ArrayList<>();
    session
        .primaries()
        .forEach(
            (address, node) ->
                all.add(node.thenApply(connection -> primary(address, connection))));
    return Stages.all(all);
  }

  private Primary primary(String address, StatefulRedisConnection<byte[], byte[]> connection) {
    return new Primary() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public CompletionStage<Object> send(RedisCommand command) {
        CompletableFuture<Object> reply = deadlines.reply();
        pass(dispatch(connection, command), reply);
        return reply;
      }
    };
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return subscriptions.subscribe(key, channel, subscriber);
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    subscriptions.unsubscribe(subscriber);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Ending.await(
          CompletableFuture.allOf(subscriptions.close(), sessions.close()),
          LettuceClients.CLOSE_TIMEOUT);
      ending.run();
    }
  }

  /** A connection of a session broke. */
  private void broken(Session session) {
    if (!closed && sessions.unshare(session)) {
      end(session);
    }
  }

  /** Ends a session that is not shared any more. */
  private void end(Session session) {
    // In a cluster, calls to other nodes may be under way.
    sessions.end(session, connections.clustered() ? context.commandTimeout() : Duration.ZERO);
    sessions.dropIdle();
    connections.refresh();
    context.doubt().run();
  }

  private void fail(CompletableFuture<?> reply, Throwable error) {
    reply.completeExceptionally(
        closed ? RedisConnectionFailure.closed() : PortErrors.ofCommand(error));
  }

  /** Completes a reply as a stage completes; what it fails with is a failure of the port. */
  private <T> void pass(CompletionStage<T> stage, CompletableFuture<T> reply) {
    Stages.then(
        stage,
        (value, error) -> {
          if (error == null) {
            reply.complete(value);
          } else {
            fail(reply, error);
          }
        });
  }

  /** A command on the session that all calls share. */
  private final class SharedCall extends Call implements Runnable {
    private final byte[] key;
    private final RedisCommand command;
    private final int redirections;
    private final CompletableFuture<Object> reply;
    private volatile @Nullable Session session;
    private long before;

    SharedCall(byte[] key, RedisCommand command) {
      super(command);
      this.key = key;
      this.command = command;
      this.redirections = 0;
      this.reply = deadlines.reply(this);
    }

    /** The same command, sent to another node. */
    private SharedCall(SharedCall refused) {
      super(refused.command);
      this.key = refused.key;
      this.command = refused.command;
      this.redirections = refused.redirections + 1;
      this.reply = refused.reply;
    }

    void on(Session made) {
      to(made, made.owner(key), false);
    }

    private void to(
        Session made,
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node,
        boolean ask) {
      before = made.replies.get();
      session = made;
      if (Stages.isThere(node)) {
        write(node.join(), ask);
      } else {
        Stages.then(
            node,
            (connection, error) -> {
              if (error == null) {
                write(connection, ask);
              } else {
                failed(error);
                broken(made);
              }
            });
      }
    }

    private void write(StatefulRedisConnection<byte[], byte[]> connection, boolean ask) {
      if (reply.isDone()) { // connecting took too long
        return;
      }
      try {
        if (ask) {
          connection.dispatch(List.of(asking(), (Call) this));
        } else {
          connection.dispatch(this);
        }
      } catch (RuntimeException e) { // the client is being closed, or its queue is full
        failed(e);
      }
    }

    @Override
    @SuppressWarnings("NullAway") // a reply may be null; futures are not annotated for it
    void replied(@Nullable Object value) {
      Session on = session;
      if (on != null) {
        on.replies.incrementAndGet();
        if (value instanceof RedisErrorReply error && redirected(on, error)) {
          return;
        }
      }
      reply.complete(value);
    }

    /** Heeds what an error says about the topology. */
    private boolean redirected(Session on, RedisErrorReply error) {
      Optional<Redirection> to = Redirection.of(error);
      if (to.isPresent() && redirections < MOST_REDIRECTIONS) {
        new SharedCall(this).to(on, follow(on, to.get()), to.get().ask());
        return true;
      }
      if (ANOTHER_TOOK_OVER.contains(error.code())) {
        broken(on);
      }
      return false;
    }

    @Override
    void failed(Throwable error) {
      fail(reply, error);
    }

    /** No reply came in time. A session on which nothing came at all is given up. */
    @Override
    public void run() {
      Session on = session;
      if (on == null) {
        reply.completeExceptionally(
            RedisConnectionFailure.unreachable("not connected in time", null));
      } else if (on.replies.get() == before && sessions.unshare(on)) {
        // In this order: the caller may send again at once, and not on this session.
        reply.completeExceptionally(RedisConnectionFailure.timeout(null));
        end(on);
        subscriptions.probe();
      }
    }
  }
}
