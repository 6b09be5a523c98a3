package io.leasehold.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs scripts by their digests. A server that does not have a script, because it restarted or was
 * flushed, gets it, on the node that serves the key, and is asked again, once: the first call
 * carried out nothing.
 */
final class ScriptRunner {
  private final RedisPort port;

  ScriptRunner(RedisPort port) {
    this.port = port;
  }

  CompletionStage<List<?>> run(ScriptCall call) {
    return healed(call, port.call(call), () -> port.call(call));
  }

  /**
   * Runs a call for somebody who has the lock. While its slot moves from one server to another, its
   * companions may be on neither: then on the lock alone.
   */
  CompletionStage<List<?>> runForHolder(ScriptCall call) {
    return run(call)
        .exceptionallyCompose(
            error ->
                Stages.said("TRYAGAIN", error)
                    ? run(call.alone())
                    : CompletableFuture.failedStage(error));
  }

  /** Runs a call, and waits for replicas on the same connection. */
  CompletionStage<RedisPort.Replicated> runReplicated(ScriptCall call, int replicas, long millis) {
    return healed(
        call,
        port.callReplicated(call, replicas, millis),
        () -> port.callReplicated(call, replicas, millis));
  }

  /** Runs several calls; the replies are in the order of the calls. */
  List<CompletionStage<List<?>>> runAll(List<ScriptCall> calls) {
    return healed(calls, port.callAll(calls), port::call);
  }

  /** As {@link #runAll}, and waits for replicas on the same connections. */
  List<CompletionStage<RedisPort.Replicated>> runAllReplicated(
      List<ScriptCall> calls, int replicas, long millis) {
    return healed(
        calls,
        port.callAllReplicated(calls, replicas, millis),
        call -> port.callReplicated(call, replicas, millis));
  }

  private <T> List<CompletionStage<T>> healed(
      List<ScriptCall> calls,
      List<CompletionStage<T>> replies,
      Function<ScriptCall, CompletionStage<T>> again) {
    List<CompletionStage<T>> healed = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      ScriptCall call = calls.get(i);
      healed.add(healed(call, replies.get(i), () -> again.apply(call)));
    }
    return healed;
  }

  private <T> CompletionStage<T> healed(
      ScriptCall call, CompletionStage<T> reply, Supplier<CompletionStage<T>> again) {
    return reply.exceptionallyCompose(
        error -> {
          if (!Stages.said("NOSCRIPT", error)) {
            return CompletableFuture.<T>failedStage(error);
          }
          return port.load(call.routingKey(), List.of(call.script().source()))
              .thenCompose(loaded -> again.get());
        });
  }
}
