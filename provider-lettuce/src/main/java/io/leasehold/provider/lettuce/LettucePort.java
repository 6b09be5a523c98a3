package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisPort;
import io.leasehold.redis.RedisSubscriber;
import io.leasehold.redis.ScriptCall;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ProviderContext;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The Redis port on Lettuce: one connection for all commands, which Lettuce shares and pipelines,
 * and one for each subscription. Never blocks; stages complete on Lettuce's threads.
 */
final class LettucePort implements RedisPort {
  private final Driver driver;
  private final Settings settings;
  private final ProviderContext context;
  private final Link<StatefulRedisConnection<byte[], byte[]>> commands;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

  private LettucePort(Driver driver, Settings settings, ProviderContext context) {
    this.driver = driver;
    this.settings = settings;
    this.context = context;
    this.commands = new Link<>(context, driver::connect, () -> {}); // nothing to catch up on
  }

  /**
   * Connects; blocks for the connect timeout at most.
   *
   * @throws RedisErrorReply when the server refuses
   * @throws RedisConnectionFailure when it cannot be reached
   */
  static LettucePort connect(Settings settings, ProviderContext context) {
    LettucePort port = new LettucePort(new Driver(settings), settings, context);
    RuntimeException failure;
    try {
      port.commands
          .open()
          .toCompletableFuture()
          .get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return port;
    } catch (ExecutionException e) {
      failure = e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e);
    } catch (TimeoutException e) {
      failure =
          new RedisConnectionFailure(
              FailureKind.UNREACHABLE, "cannot connect within the connect timeout", null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure =
          new RedisConnectionFailure(FailureKind.UNREACHABLE, "interrupted while connecting", null);
    }
    port.close();
    throw failure;
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<List<?>> call(ScriptCall call) {
    return send(
        redis ->
            redis.evalsha(
                call.sha1(),
                ScriptOutputType.MULTI,
                call.keys().toArray(new byte[0][]),
                call.args().toArray(new byte[0][])));
  }

  @Override
  public CompletionStage<?> load(byte[] key, List<byte[]> scripts) {
    return send(
        redis ->
            CompletableFuture.allOf(
                scripts.stream()
                    .map(script -> redis.scriptLoad(script).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new)));
  }

  @Override
  public CompletionStage<String> info(byte[] key) {
    return send(RedisAsyncCommands::info);
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    Subscription subscription = new Subscription(driver, context, channel, subscriber);
    subscriptions.add(subscription);
    if (commands.isClosed()) { // and may have missed this one
      subscription.close();
    }
    return subscription
        .open(settings.commandTimeout())
        .whenComplete(
            (confirmed, error) -> {
              if (error != null) {
                subscriptions.remove(subscription);
                subscription.close();
              }
            });
  }

  @Override
  public void close() {
    commands.end();
    subscriptions.forEach(Subscription::end);
    driver.close();
  }

  private <T> CompletionStage<T> send(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
    Link.Live<StatefulRedisConnection<byte[], byte[]>> live;
    try {
      live = commands.current();
    } catch (RuntimeException why) {
      return CompletableFuture.failedStage(why);
    }
    long before = live.replies().get();
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletionStage<T> sent;
    try {
      sent = command.apply(live.connection().async());
    } catch (RuntimeException e) { // the driver is being closed
      return CompletableFuture.failedStage(failed(live, before, e));
    }
    sent.whenComplete(
        (reply, error) -> {
          if (error == null) {
            live.replies().incrementAndGet();
            result.complete(reply);
          } else {
            result.completeExceptionally(failed(live, before, error));
          }
        });
    return result;
  }

  /** What a failed command means, also for the connection on which it was sent. */
  private RuntimeException failed(
      Link.Live<StatefulRedisConnection<byte[], byte[]>> live, long before, Throwable error) {
    if (commands.isClosed()) {
      return Link.closed();
    }
    RuntimeException why = LettuceErrors.ofCommand(error);
    if (why instanceof RedisErrorReply) {
      live.replies().incrementAndGet();
    } else if (why instanceof RedisConnectionFailure failure
        && failure.kind() == FailureKind.TIMEOUT
        && live.replies().get() == before) {
      // Silent for a whole command timeout: a slow server would have answered something.
      commands.replace(live, Link.silent());
      subscriptions.forEach(Subscription::probe);
    }
    return why;
  }
}
