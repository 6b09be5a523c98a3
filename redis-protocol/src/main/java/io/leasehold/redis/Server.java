package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that keeps locks, or whichever has taken its place: the channel on which commands go to
 * it, those on which replicas are waited for, and those on which it is listened to.
 */
final class Server {
  /** What a server says that must not be asked any more. */
  private static final Set<String> NOT_THE_PRIMARY = Set.of("READONLY", "MASTERDOWN");

  /** What a server may say because another has taken its place. */
  private static final Set<String> DOUBTFUL = Set.of("NOREPLICAS", "CLUSTERDOWN");

  /** Looks for a server. */
  interface Whereabouts extends Supplier<CompletionStage<Endpoint>> {}

  private final Wiring wiring;
  private final boolean blocking;
  private final ServerCheck check;
  private final Whereabouts whereabouts;
  private final Runnable doubt;
  private final Deadlines deadlines;
  private final Link<Reached> commands;

  /** Guards what follows. */
  private final Object lock = new Object();

  private final Map<RedisSubscriber, Link<Heard>> listenings = new HashMap<>();
  private boolean closed;

  /**
   * @param whereabouts asked before each connection
   * @param doubt told when the server may not be the one to ask any more; must not block
   */
  Server(Wiring wiring, ServerCheck check, Whereabouts whereabouts, Runnable doubt) {
    this.wiring = wiring;
    this.blocking = wiring.driver().blocking();
    this.check = check;
    this.whereabouts = whereabouts;
    this.doubt = doubt;
    this.deadlines = new Deadlines(wiring.context(), wiring.commandTimeout());
    this.commands =
        new Link<>(
            blocking ? Link.Mode.ON_DEMAND : Link.Mode.KEPT,
            wiring,
            this::reach,
            Reached::close,
            new Link.Events<>() {
              @Override
              public void made(Reached reached, boolean again) {
                follow(reached.endpoint);
              }

              @Override
              public void failed(RuntimeException why) {
                doubt.run();
              }
            });
  }

  /** Begins to connect, where connections are kept. */
  void begin() {
    commands.begin();
  }

  /** Where it is, as far as is known. */
  @Nullable Endpoint endpoint() {
    Link.Live<Reached> live = commands.live();
    return live == null ? null : live.connection().endpoint;
  }

  /** Sends commands on the connection that all share. */
  CompletionStage<List<Object>> send(List<RedisCommand> sent) {
    return commands.current().thenCompose(live -> send(live, sent));
  }

  /** Sends one command on the connection that all share. */
  void send(RedisCommand command, ReplyHandler handler) {
    Link.Live<Reached> live = commands.live();
    if (live == null) {
      Stages.pass(send(List.of(command)), handler);
      return;
    }
    Exchange exchange = new Exchange(live, handler);
    if (!blocking) {
      deadlines.watch(exchange);
    }
    live.connection().channel.send(command, wiring.commandTimeout(), exchange);
  }

  /** One command under way: looks at what comes back, for what it says about the connection. */
  private final class Exchange extends AtomicBoolean implements ReplyHandler, Deadlines.Awaited {
    private static final long serialVersionUID = 1L;

    private final transient Link.Live<Reached> live;
    private final transient ReplyHandler handler;
    private final long before;
    private final long deadlineNanos;

    Exchange(Link.Live<Reached> live, ReplyHandler handler) {
      this.live = live;
      this.handler = handler;
      this.before = live.replies().get();
      this.deadlineNanos = blocking ? 0 : deadlines.next();
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    @Override
    public boolean isDone() {
      return get();
    }

    @Override
    public void replied(@Nullable Object reply) {
      if (compareAndSet(false, true)) {
        live.replies().incrementAndGet();
        if (reply instanceof RedisErrorReply refused) {
          heed(live, refused);
        }
        handler.replied(reply);
      }
    }

    @Override
    public void failed(RuntimeException why) {
      if (compareAndSet(false, true)) {
        heed(live, before, why);
        handler.failed(commands.isClosed() ? RedisConnectionFailure.closed() : goneOn(why));
      }
    }

    @Override
    public void late(RedisConnectionFailure timeout) {
      failed(timeout);
    }
  }

  /** Sends commands on a connection that nobody else uses meanwhile, because one of them waits. */
  CompletionStage<List<Object>> sendAlone(List<RedisCommand> sent) {
    return blocking
        ? send(sent)
        : commands
            .current()
            .thenCompose(
                live -> noting(live, live.replies().get(), live.connection().sendAlone(sent)));
  }

  /** Listens to a channel. See {@link RedisPort#subscribe}. */
  CompletionStage<?> listen(byte[] channel, RedisSubscriber subscriber) {
    Link<Heard> link;
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedStage(RedisConnectionFailure.closed());
      }
      link = listenings.computeIfAbsent(subscriber, unseen -> listening(channel, unseen));
    }
    Link<Heard> begun = link;
    CompletionStage<Link.Live<Heard>> first = begun.current();
    if (blocking) {
      first = Stages.await(first, wiring.commandTimeout().toNanos());
    }
    return first.exceptionallyCompose(
        error -> {
          if (!begun.wasMade()) { // otherwise it is made anew, for those who listen already
            abandon(subscriber, begun);
          }
          return CompletableFuture.failedStage(
              isClosed() ? RedisConnectionFailure.closed() : abandoned(error));
        });
  }

  /** Ends what a subscriber listens to. See {@link RedisPort#unsubscribe}. */
  void unlisten(RedisSubscriber subscriber) {
    Link<Heard> link;
    synchronized (lock) {
      link = listenings.remove(subscriber);
    }
    if (link != null) {
      link.close();
    }
  }

  /** Looks whether the server is still where it is thought to be; does not block. */
  void recheck() {
    Link.Live<Reached> live = commands.live();
    if (live == null && heard().isEmpty()) {
      return;
    }
    try {
      wiring
          .background()
          .execute(
              () ->
                  whereabouts
                      .get()
                      .thenAccept(
                          endpoint -> {
                            if (live != null && !endpoint.equals(live.connection().endpoint)) {
                              commands.replace(live, moved(endpoint));
                            }
                            follow(endpoint);
                          }));
    } catch (RejectedExecutionException e) {
      // the client is being closed
    }
  }

  /** Closes all connections and makes no more. Does not wait. */
  void close() {
    commands.close();
    List<Link<Heard>> last;
    synchronized (lock) {
      closed = true;
      last = List.copyOf(listenings.values());
    }
    last.forEach(Link::close);
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private CompletionStage<Reached> reach(Runnable broken) {
    return whereabouts
        .get()
        .thenCompose(
            endpoint ->
                wiring
                    .driver()
                    .open(endpoint, broken)
                    .thenCompose(channel -> checked(endpoint, channel)));
  }

  private CompletionStage<Reached> checked(Endpoint endpoint, RedisChannel channel) {
    // On demand somebody waits for it, and has a command timeout at most.
    Duration time = blocking ? wiring.commandTimeout() : wiring.connectTimeout();
    return wiring
        .within(time, channel.send(check.questions(), time))
        .thenApply(
            replies -> {
              check.judge(endpoint, replies);
              return new Reached(endpoint, channel, new LoneChannels(wiring, endpoint));
            })
        .whenComplete(
            (reached, error) -> {
              if (error != null) {
                channel.close();
              }
            });
  }

  private CompletionStage<List<Object>> send(Link.Live<Reached> live, List<RedisCommand> sent) {
    long before = live.replies().get();
    CompletionStage<List<Object>> replies =
        live.connection().channel.send(sent, wiring.commandTimeout());
    if (!blocking) {
      CompletableFuture<List<Object>> timely = new CompletableFuture<>();
      deadlines.watch(timely);
      Stages.pass(replies, timely);
      replies = timely;
    }
    return noting(live, before, replies);
  }

  /** Looks at what came back, for what it says about the connection. */
  private CompletionStage<List<Object>> noting(
      Link.Live<Reached> live, long before, CompletionStage<List<Object>> replies) {
    return replies
        .whenComplete(
            (reply, error) -> {
              if (error == null) {
                live.replies().incrementAndGet();
                for (Object part : reply) {
                  if (part instanceof RedisErrorReply refused) {
                    heed(live, refused);
                  }
                }
              } else {
                heed(live, before, Stages.unwrap(error));
              }
            })
        .exceptionallyCompose(
            error ->
                CompletableFuture.failedStage(
                    commands.isClosed() ? RedisConnectionFailure.closed() : goneOn(error)));
  }

  /** A channel that was replaced under its users is closed; to them, their connection is lost. */
  private static RuntimeException goneOn(Throwable error) {
    RuntimeException why = Stages.reason(error);
    return why instanceof RedisConnectionFailure failure && failure.kind() == FailureKind.CLOSED
        ? RedisConnectionFailure.lost(failure)
        : why;
  }

  private void heed(Link.Live<Reached> live, RedisErrorReply refused) {
    if (NOT_THE_PRIMARY.contains(refused.code())) {
      commands.replace(live, new ServerRefused(Failures.kind(refused), "not the primary any more"));
      doubt.run();
    } else if (DOUBTFUL.contains(refused.code())) {
      doubt.run();
    }
  }

  private void heed(Link.Live<Reached> live, long before, Throwable error) {
    if (!(error instanceof RedisConnectionFailure failure)) {
      return;
    }
    boolean silent = failure.kind() == FailureKind.TIMEOUT && live.replies().get() == before;
    boolean gone =
        blocking
            && (failure.kind() == FailureKind.CONNECTION_LOST
                || failure.kind() == FailureKind.UNREACHABLE);
    if (silent) {
      // For a whole command timeout: a slow server would have answered something.
      probe();
    }
    if (silent || gone) {
      commands.replace(
          live,
          new RedisConnectionFailure(
              FailureKind.UNREACHABLE, "the server stopped answering; connecting anew", null));
    }
    if (failure.kind() != FailureKind.CLOSED && failure.kind() != FailureKind.OVERLOADED) {
      doubt.run();
    }
  }

  private Link<Heard> listening(byte[] channel, RedisSubscriber subscriber) {
    return new Link<>(
        Link.Mode.KEPT,
        wiring,
        broken -> hear(channel, subscriber, broken),
        heard -> heard.listening.close(),
        new Link.Events<>() {
          @Override
          public void made(Heard heard, boolean again) {
            Endpoint asked = endpoint();
            if (asked != null && !asked.equals(heard.endpoint)) {
              doubt.run(); // one of the two is not where it should be
            }
            if (again) {
              subscriber.restored();
            }
          }

          @Override
          public void failed(RuntimeException why) {
            doubt.run();
          }
        });
  }

  private CompletionStage<Heard> hear(byte[] channel, RedisSubscriber subscriber, Runnable broken) {
    RedisListening.Events events =
        new RedisListening.Events() {
          @Override
          public boolean hearShard() {
            return subscriber.hearsShard();
          }

          @Override
          public void message(byte[] payload) {
            subscriber.message(payload);
          }

          @Override
          public void broken() {
            broken.run();
          }
        };
    return whereabouts
        .get()
        .thenCompose(
            endpoint ->
                wiring
                    .driver()
                    .listen(endpoint, channel, events)
                    .thenApply(heard -> new Heard(endpoint, heard)));
  }

  private void abandon(RedisSubscriber subscriber, Link<Heard> failed) {
    synchronized (lock) {
      listenings.remove(subscriber, failed);
    }
    failed.close();
  }

  /** Commands go to this server now: whoever listens must listen there. */
  private void follow(Endpoint endpoint) {
    for (Link<Heard> link : heard()) {
      Link.Live<Heard> live = link.live();
      if (live != null && !live.connection().endpoint.equals(endpoint)) {
        link.replace(live, moved(endpoint));
      }
    }
  }

  /** Finds out whether the server still answers on the connections on which it is listened to. */
  private void probe() {
    heard().forEach(this::probe);
  }

  private void probe(Link<Heard> link) {
    Link.Live<Heard> live = link.live();
    if (live == null) {
      return;
    }
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    deadlines.watch(answer);
    live.connection()
        .listening
        .probe(wiring.commandTimeout())
        .whenComplete((pong, error) -> answer.complete(true)); // broken tells itself
    answer.exceptionally(
        silence -> {
          link.replace(live, Stages.reason(silence));
          return false;
        });
  }

  private List<Link<Heard>> heard() {
    synchronized (lock) {
      return List.copyOf(listenings.values());
    }
  }

  /** Another who waited for the same subscription has given it up: nobody closed anything. */
  private static RuntimeException abandoned(Throwable error) {
    RuntimeException why = Stages.reason(error);
    return why instanceof RedisConnectionFailure failure && failure.kind() == FailureKind.CLOSED
        ? Stages.notConnectedInTime()
        : why;
  }

  private static RedisConnectionFailure moved(Endpoint endpoint) {
    return new RedisConnectionFailure(
        FailureKind.UNREACHABLE, "another server has taken over; connecting to " + endpoint, null);
  }

  /**
   * A channel to the server that was found, and those beside it. They end together: behind the same
   * address there may be another server the next time.
   */
  private record Reached(Endpoint endpoint, RedisChannel channel, LoneChannels lone) {
    private CompletionStage<List<Object>> sendAlone(List<RedisCommand> sent) {
      return lone.send(sent);
    }

    private void close() {
      channel.close();
      lone.close();
    }
  }

  /** A subscription on the server that was found. */
  private record Heard(Endpoint endpoint, RedisListening listening) {}
}
