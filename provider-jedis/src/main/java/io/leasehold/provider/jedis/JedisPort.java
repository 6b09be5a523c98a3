package io.leasehold.provider.jedis;

import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisServers.Topology;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.HostAndPort;

/**
 * The port on Jedis. It blocks: a call takes a connection from the driver's pool for the owner of
 * the key, and uses it alone until all replies have come.
 */
final class JedisPort implements DriverPort {
  private static final int REDIRECTIONS = 5;
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private record Place(Object address, Subscriber subscriber) {}

  private final PortContext context;
  private final Supplier<Servers> opening;
  private final Calls calls;
  private final Map<Place, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile CompletableFuture<Servers> opened =
      CompletableFuture.failedFuture(RedisConnectionFailure.closed());

  /**
   * @param opening finds the servers; may block
   */
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
    int hops = servers.topology() == Topology.CLUSTER ? REDIRECTIONS : 0;
    for (Optional<Redirection> to = Redirection.of(replies.get(0));
        to.isPresent() && hops > 0;
        to = Redirection.of(replies.get(0)), hops--) {
      List<RedisCommand> all = new ArrayList<>(commands);
      if (to.get().ask()) {
        all.add(0, RedisCommand.of("ASKING"));
      } else {
        refresh(key, true);
      }
      Node node = servers.at(new HostAndPort(to.get().host(), to.get().port()));
      replies = calls.exchange(call, node, all);
      replies = replies.subList(all.size() - commands.size(), all.size());
    }
    return replies;
  }

  /** Another thread sends to each server, so that none waits for the replies of another. */
  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletableFuture<Object>> replies =
        keys.stream().map(key -> new CompletableFuture<Object>()).toList();
    Function<Throwable, Object> fail =
        error -> replies.stream().filter(reply -> reply.completeExceptionally(error)).count();
    CompletionStage<Object> sent =
        stage(
            Servers.NO_KEY,
            call -> {
              var unused = call.exceptionally(fail);
              IntStream.range(0, keys.size())
                  .boxed()
                  .collect(Collectors.groupingBy(i -> servers(call).owner(keys.get(i))))
                  .forEach(
                      (node, batch) ->
                          calls.later(() -> send(call, node, batch, keys, commands, replies)));
              return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                  .handle((done, error) -> "")
                  .join();
            });
    var unused = sent.exceptionally(fail);
    return List.copyOf(replies);
  }

  private void send(
      CompletableFuture<Object> call,
      Node node,
      List<Integer> batch,
      List<byte[]> keys,
      List<RedisCommand> commands,
      List<CompletableFuture<Object>> replies) {
    try {
      Iterator<Object> received =
          calls.exchange(call, node, batch.stream().map(commands::get).toList()).iterator();
      for (int i : batch) {
        Object reply = received.next();
        boolean elsewhere = Redirection.of(reply).isPresent();
        replies
            .get(i)
            .complete(
                elsewhere ? exchange(call, keys.get(i), List.of(commands.get(i))).get(0) : reply);
      }
    } catch (RuntimeException e) {
      RuntimeException failure = failed(keys.get(batch.get(0)), e);
      batch.forEach(i -> replies.get(i).completeExceptionally(failure));
    }
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return stage(
        Servers.NO_KEY, call -> servers(call).primaries().stream().map(this::primary).toList());
  }

  private Primary primary(Node node) {
    return new Primary() {
      @Override
      public String address() {
        return node.address().toString();
      }

      @Override
      public CompletionStage<Object> send(RedisCommand command) {
        return stage(Servers.NO_KEY, call -> calls.exchange(call, node, List.of(command)).get(0));
      }
    };
  }

  private <T> CompletionStage<T> stage(byte[] key, Function<CompletableFuture<Object>, T> work) {
    CompletableFuture<Object> call = calls.begin();
    try {
      return CompletableFuture.completedFuture(work.apply(call));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(failed(key, e));
    } finally {
      calls.end(call);
    }
  }

  /** What a failure means. If a server may be gone, has the driver look for another. */
  private RuntimeException failed(byte[] key, RuntimeException error) {
    if (calls.closed()) {
      return RedisConnectionFailure.closed();
    }
    RuntimeException failure = JedisErrors.ofConnecting(error);
    if (failure instanceof RedisConnectionFailure gone && gone.kind() != FailureKind.OVERLOADED) {
      context.doubt().run();
      interrupt(context.commandTimeout());
      refresh(key, false);
    }
    return failure;
  }

  /**
   * Has the driver look which servers there are. Does not wait.
   *
   * @param moved whether subscriptions may be at a wrong server
   */
  private void refresh(byte[] key, boolean moved) {
    calls.later(
        () -> {
          if (refreshing.compareAndSet(false, true)) {
            try {
              opened.join().renewal().accept(key);
            } finally {
              refreshing.set(false);
            }
          }
          if (moved) {
            context.doubt().run();
            interrupt(Duration.ZERO);
          }
        });
  }

  /** Ends subscriptions that have heard nothing for a time. */
  private void interrupt(Duration time) {
    subscriptions.values().stream().filter(each -> each.isSilent(time)).forEach(Subscription::end);
  }

  private Servers servers(CompletableFuture<Object> call) {
    return Calls.await(call, opened.isCompletedExceptionally() ? open() : opened);
  }

  /** Has another thread try again to find the servers, unless one does so. */
  private synchronized CompletableFuture<Servers> open() {
    if (opened.isCompletedExceptionally() && !calls.closed()) {
      opened = CompletableFuture.supplyAsync(opening, calls.threads);
    }
    return opened;
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return stage(
        key,
        call -> {
          Node node = servers(call).owner(key);
          Place place = new Place(node.address(), subscriber);
          Subscription made = new Subscription(calls, node);
          Subscription there = subscriptions.putIfAbsent(place, made);
          Subscription subscription = there == null ? made : there;
          if (there == null) {
            calls.later(() -> run(place, made, channel, key));
          }
          try {
            return Calls.await(call, subscription.confirmed);
          } catch (RuntimeException e) {
            subscriptions.remove(place, subscription);
            subscription.end();
            throw e;
          }
        });
  }

  private void run(Place place, Subscription subscription, byte[] channel, byte[] key) {
    subscription.run(channel, place.subscriber, context.commandTimeout());
    boolean confirmed = !subscription.confirmed.isCompletedExceptionally();
    if (subscriptions.remove(place, subscription) && confirmed && !calls.closed()) {
      failed(key, RedisConnectionFailure.lost(null));
      place.subscriber.interrupted();
    }
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    end(place -> place.subscriber.equals(subscriber));
  }

  private void end(Predicate<Place> which) {
    subscriptions.forEach(
        (place, subscription) -> {
          if (which.test(place) && subscriptions.remove(place, subscription)) {
            subscription.end();
          }
        });
  }

  @Override
  public void close() {
    calls.close();
    end(place -> true);
    // First: a closed pool does not replace what breaks.
    Ending.await(open().thenAcceptAsync(Servers::close, calls.threads), CLOSING);
    calls.endAll();
  }
}
