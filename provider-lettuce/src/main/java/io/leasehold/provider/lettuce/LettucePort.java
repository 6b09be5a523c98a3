package io.leasehold.provider.lettuce;

import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** Sends commands on connections of Lettuce. Never blocks, except in {@link #close()}. */
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
  private final Links links;
  private final Links listening;
  private final Disposable changes;
  private final AtomicInteger alone = new AtomicInteger();

  /** Links for calls that want one for themselves. */
  private final Queue<Link> idle = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  /**
   * @param ending closes the client, unless the application handed it in
   */
  LettucePort(Connector connector, PortContext context, Runnable ending) {
    this.connector = connector;
    this.context = context;
    this.ending = ending;
    this.deadlines = new Deadlines(context);
    this.links = new Links(() -> connector.connect(this::lost), context);
    this.listening = new Links(() -> connector.listen(this::interrupt), context);
    this.changes = connector.onChange(() -> listening.current().ifPresent(this::interrupt));
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return new SharedCall(command).to(links.shared().thenCompose(link -> link.owner(key)), false);
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
    CompletionStage<Link> own = take();
    pass(own.thenCompose(link -> together(link.owner(key), commands, false, 0)), result);
    return result.whenComplete(
        (replies, error) -> {
          alone.decrementAndGet();
          own.thenAccept(link -> giveBack(link, error == null ? replies : List.of()));
        });
  }

  private CompletionStage<Link> take() {
    int before = alone.getAndIncrement();
    Link kept = idle.poll();
    if (kept != null) {
      return CompletableFuture.completedStage(kept);
    }
    return before < MOST_ALONE
        ? links.connect()
        : CompletableFuture.failedStage(RedisConnectionFailure.overloaded());
  }

  /**
   * @param replies what came; empty if something is still to come
   */
  private void giveBack(Link link, List<Object> replies) {
    boolean replaced = replies.stream().anyMatch(LettucePort::anotherTookOver);
    if (replaced) {
      links.current().ifPresent(this::replace);
    }
    if (replaced || replies.isEmpty()) {
      links.close(link);
    } else {
      idle.add(link);
    }
  }

  /** Sends commands one behind the other, and follows what the server says to the first. */
  private CompletionStage<List<Object>> together(
      CompletionStage<Node> target, List<RedisCommand> commands, boolean ask, int redirections) {
    return target.thenCompose(
        node -> {
          List<CompletionStage<Object>> replies = new ArrayList<>();
          for (RedisCommand command : commands) {
            if (ask) {
              node.send(ASKING);
            }
            replies.add(node.send(command));
          }
          return all(replies)
              .thenCompose(
                  values -> {
                    Optional<Redirection> to = redirection(node, values.get(0), redirections);
                    return to.isEmpty()
                        ? CompletableFuture.completedStage(values)
                        : together(
                            follow(node, to.get()), commands, to.get().ask(), redirections + 1);
                  });
        });
  }

  private static Optional<Redirection> redirection(Node from, Object reply, int redirections) {
    return from.link.isClustered() && redirections < MOST_REDIRECTIONS
        ? Redirection.of(reply)
        : Optional.empty();
  }

  /** The node that a redirection names; one that Lettuce does not know yet after a refresh. */
  private CompletionStage<Node> follow(Node from, Redirection to) {
    if (!to.ask()) {
      connector.refresh();
    }
    String host = to.host().isEmpty() ? from.host() : to.host();
    return from.link
        .node(host, to.port())
        .exceptionallyCompose(
            error -> connector.refresh().thenCompose(done -> from.link.node(host, to.port())));
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    CompletableFuture<List<Primary>> result = deadlines.reply();
    pass(
        links
            .shared()
            .thenCompose(link -> all(link.primaries()))
            .thenApply(nodes -> nodes.stream().map(this::primary).toList()),
        result);
    return result;
  }

  private Primary primary(Node node) {
    return new Primary() {
      @Override
      public String address() {
        return node.address;
      }

      @Override
      public CompletionStage<Object> send(RedisCommand command) {
        return new SharedCall(command).to(CompletableFuture.completedStage(node), false);
      }
    };
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    CompletableFuture<Void> confirmed =
        deadlines.reply(() -> listening.current().ifPresent(this::interrupt));
    pass(
        listening
            .shared()
            .thenCompose(link -> link.owner(key))
            .thenCompose(node -> node.subscribe(channel, subscriber)),
        confirmed);
    return confirmed;
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    listening.current().ifPresent(link -> link.used().forEach(n -> n.unsubscribe(subscriber)));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      changes.dispose();
      Ending.await(
          CompletableFuture.allOf(links.close(), listening.close()), LettuceClients.CLOSE_TIMEOUT);
      ending.run();
    }
  }

  /** A link for commands broke, is silent, or its server is the primary no more. */
  private void lost(Link link) {
    if (idle.remove(link)) {
      links.close(link);
    } else if (!closed && links.forget(link)) {
      // Later: calls to other nodes of a cluster may be under way.
      context.scheduler().schedule(() -> links.close(link), context.commandTimeout().toNanos());
      for (Link each = idle.poll(); each != null; each = idle.poll()) {
        links.close(each);
      }
      listening.current().ifPresent(this::interrupt);
      connector.refresh();
      context.doubt().run();
    }
  }

  /** Looks for the primary again: by connecting to it, or by a look at the cluster. */
  private void replace(Link link) {
    if (link.isClustered()) {
      connector.refresh();
    } else {
      lost(link);
    }
  }

  /** Ends a link for subscriptions. Closes it first: what is begun on it must fail from now on. */
  private void interrupt(Link link) {
    if (!closed && listening.forget(link)) {
      listening.close(link);
      context.doubt().run();
      link.used().forEach(Node::interrupt);
    }
  }

  private static boolean anotherTookOver(@Nullable Object reply) {
    return reply instanceof RedisErrorReply error && ANOTHER_TOOK_OVER.contains(error.code());
  }

  /** All values, in their order. */
  private static <T> CompletionStage<List<T>> all(List<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> each =
        stages.stream().map(CompletionStage::toCompletableFuture).toList();
    return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> each.stream().map(CompletableFuture::join).toList());
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

  /** A command on a connection that all calls share. */
  private final class SharedCall implements Runnable {
    private final RedisCommand command;
    private final CompletableFuture<Object> reply;
    private volatile @Nullable Node node;
    private long before;
    private int redirections;

    SharedCall(RedisCommand command) {
      this.command = command;
      this.reply = deadlines.reply(this);
    }

    CompletionStage<Object> to(CompletionStage<Node> target, boolean ask) {
      target.whenComplete(
          (found, error) -> {
            if (error != null) {
              fail(reply, error);
            } else if (!reply.isDone()) { // connecting may have taken too long
              before = found.replies.get();
              node = found;
              if (ask) {
                found.send(ASKING);
              }
              found.send(command).whenComplete((value, thrown) -> replied(found, value, thrown));
            }
          });
      return reply;
    }

    private void replied(Node from, Object value, @Nullable Throwable error) {
      if (error != null) {
        fail(reply, error);
        return;
      }
      from.replies.incrementAndGet();
      Optional<Redirection> to = redirection(from, value, redirections++);
      if (to.isPresent()) {
        to(follow(from, to.get()), to.get().ask());
        return;
      }
      if (anotherTookOver(value)) {
        replace(from.link);
      }
      reply.complete(value);
    }

    /** No reply came in time. A connection on which nothing came at all is given up. */
    @Override
    public void run() {
      Node on = node;
      if (on == null) {
        reply.completeExceptionally(
            RedisConnectionFailure.unreachable("not connected in time", null));
      } else if (on.replies.get() == before) {
        lost(on.link); // before the caller hears of it, who may send again at once
      }
    }
  }
}
