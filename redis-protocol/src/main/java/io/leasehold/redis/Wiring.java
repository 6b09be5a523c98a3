package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What everything that talks to servers shares.
 *
 * @param driver makes the connections
 * @param context the client's clock, timer and random numbers
 * @param background runs what may block, if the driver does; otherwise the calling thread
 * @param connectTimeout bounds the making of a connection
 * @param commandTimeout bounds a command
 */
record Wiring(
    RedisDriver driver,
    ProviderContext context,
    Executor background,
    Duration connectTimeout,
    Duration commandTimeout) {

  /** Opens a channel, asks something on it, and closes it again. */
  CompletionStage<List<Object>> askOnce(Endpoint server, List<RedisCommand> commands) {
    return driver
        .open(server, () -> {})
        .thenCompose(
            channel ->
                this.within(commandTimeout, channel.send(commands, commandTimeout))
                    .whenComplete((replies, error) -> channel.close()));
  }

  /** A stage that fails with TIMEOUT when the other one does not complete in time. */
  <T> CompletionStage<T> within(Duration time, CompletionStage<T> stage) {
    return within(
        time,
        stage,
        () -> new RedisConnectionFailure(FailureKind.TIMEOUT, "no reply within the timeout", null));
  }

  /** As {@link #within(Duration, CompletionStage)}, with a failure of the user's choice. */
  <T> CompletionStage<T> within(
      Duration time, CompletionStage<T> stage, Supplier<RedisConnectionFailure> late) {
    if (stage.toCompletableFuture().isDone()) {
      return stage;
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    Scheduler.Task deadline =
        context
            .scheduler()
            .schedule(() -> result.completeExceptionally(late.get()), time.toNanos());
    stage.whenComplete((value, error) -> deadline.cancel());
    Stages.pass(stage, result);
    return result;
  }

  /** Does something with each candidate in turn until it succeeds; fails as the last one did. */
  static <C, T> CompletionStage<T> firstOf(
      List<C> candidates, Function<C, CompletionStage<T>> attempt) {
    CompletionStage<T> result = attempt.apply(candidates.get(0));
    for (C next : candidates.subList(1, candidates.size())) {
      result = result.exceptionallyCompose(error -> attempt.apply(next));
    }
    return result;
  }
}
