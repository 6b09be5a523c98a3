package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.spi.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Brings commands to the servers that own their keys, and has the driver find those servers. */
final class Router {
  private static final int REDIRECTIONS = 5;

  private final Calls calls;
  private final Calls.Task<Servers> opening;
  private final Runnable lost;
  private final Consumer<List<Node>> changed;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicInteger refreshes = new AtomicInteger();
  private volatile CompletableFuture<Servers> opened =
      CompletableFuture.failedFuture(RedisConnectionFailure.closed());
  private volatile Object topology = ""; // written by one thread at a time

  /**
   * @param opening finds the servers; may block
   * @param lost called when a command got no reply
   * @param changed called with the primaries when they have changed
   */
  Router(Calls calls, Calls.Task<Servers> opening, Runnable lost, Consumer<List<Node>> changed) {
    this.calls = calls;
    this.opening = opening;
    this.lost = lost;
    this.changed = changed;
  }

  /** The servers; if they could not be found before, another attempt is made, one at a time. */
  Servers servers(CompletableFuture<Object> call) throws Exception {
    if (opened.isCompletedExceptionally()
        && !calls.closed()
        && looking.compareAndSet(false, true)) {
      CompletableFuture<Servers> next = new CompletableFuture<>();
      opened = next;
      calls.later(() -> open(next));
    }
    return Calls.await(call, opened);
  }

  private void open(CompletableFuture<Servers> result) {
    try {
      Servers servers = opening.run();
      topology = servers.topology();
      if (!result.complete(servers)) { // closed meanwhile
        servers.close();
      }
    } catch (Exception e) {
      result.completeExceptionally(e);
    } finally {
      looking.set(false);
    }
  }

  Node owner(CompletableFuture<Object> call, byte[] key) {
    try {
      return servers(call).owner(key);
    } catch (Exception e) {
      throw failed(null, key, e);
    }
  }

  /** Sends commands to one server, and follows redirections. */
  List<Object> exchange(
      CompletableFuture<Object> call, Node node, byte[] key, List<RedisCommand> commands) {
    Exchange exchange = begin(call, node, key, commands, false);
    read(exchange, node, key);
    return follow(call, key, commands, exchange.replies);
  }

  Exchange begin(
      CompletableFuture<Object> call,
      Node node,
      byte[] key,
      List<RedisCommand> commands,
      boolean asking) {
    try {
      Calls.Task<Connection> borrow = () -> node.borrow(calls.context.commandTimeout());
      Connection connection =
          node.ready() ? borrow.run() : calls.within(call, borrow, Exchange::giveBack);
      calls.connected();
      return new Exchange(calls, call, connection, commands, asking);
    } catch (Exception e) {
      throw failed(node, key, e);
    }
  }

  void read(Exchange exchange, Node node, byte[] key) {
    try {
      exchange.read();
    } catch (RuntimeException e) {
      throw failed(node, key, e);
    }
  }

  /**
   * Sends what was redirected again, with all that came behind it on the connection: WAIT says
   * something about the server that carried out what stands before it.
   */
  List<Object> follow(
      CompletableFuture<Object> call,
      byte[] key,
      List<RedisCommand> commands,
      List<Object> received) {
    List<Object> replies = new ArrayList<>(received);
    for (int hops = 0; hops < REDIRECTIONS; hops++) {
      int from = redirected(replies);
      if (from == replies.size()) {
        return replies;
      }
      JedisRedirectionException elsewhere = (JedisRedirectionException) replies.get(from);
      boolean asking = elsewhere instanceof JedisAskDataException;
      if (!asking) {
        refresh(key);
      }
      Optional<Node> target = opened.join().at(elsewhere.getTargetNode());
      if (target.isEmpty()) {
        break;
      }
      replies.subList(from, replies.size()).clear();
      List<RedisCommand> rest = commands.subList(from, commands.size());
      Exchange exchange = begin(call, target.get(), key, rest, asking);
      read(exchange, target.get(), key);
      replies.addAll(exchange.replies);
    }
    replies.replaceAll(Replies::of); // redirections that are not followed are errors
    return replies;
  }

  private static int redirected(List<Object> replies) {
    int i = 0;
    while (i < replies.size() && !(replies.get(i) instanceof JedisRedirectionException)) {
      i++;
    }
    return i;
  }

  /** What a failure means. If the server may be gone, has the driver look for another. */
  RuntimeException failed(@Nullable Node node, byte[] key, Exception error) {
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    RuntimeException failure =
        calls.closed() ? RedisConnectionFailure.closed() : Failures.ofConnecting(error);
    if (failure instanceof RedisConnectionFailure gone
        && gone.kind() != FailureKind.CLOSED
        && gone.kind() != FailureKind.OVERLOADED) {
      if (node != null) {
        calls.later(node::clear); // idle connections to it are likely to be lost, too
      }
      calls.context.doubt().run();
      lost.run();
      refresh(key);
    }
    return failure;
  }

  /** Has the driver look which servers there are. Does not wait; one thread at a time does so. */
  void refresh(byte[] key) {
    if (refreshes.getAndIncrement() == 0) {
      calls.later(
          () -> {
            int seen;
            do {
              seen = refreshes.get();
              look(key);
            } while (!refreshes.compareAndSet(seen, 0));
          });
    }
  }

  private void look(byte[] key) {
    try {
      Servers servers = opened.join();
      servers.refresh(key);
      if (calls.closed()) {
        servers.close(); // again: what the driver has made meanwhile
      }
      Object now = servers.topology();
      if (!now.equals(topology)) {
        topology = now;
        calls.context.doubt().run();
        changed.accept(servers.primaries());
      }
    } catch (RuntimeException e) {
      // No server could be asked; the next failure asks again.
    }
  }

  /** Closes the servers, and waits for that, but not for long. */
  void close(long millis) {
    CompletableFuture<Servers> found = opened;
    found.completeExceptionally(RedisConnectionFailure.closed());
    CompletableFuture<Object> closed = new CompletableFuture<>();
    calls.later(
        () -> {
          try {
            found.join().close();
          } finally {
            closed.complete("");
          }
        });
    try {
      closed.completeOnTimeout("", millis, TimeUnit.MILLISECONDS).get();
    } catch (Exception e) {
      Thread.currentThread().interrupt(); // only that can happen
    }
  }
}
