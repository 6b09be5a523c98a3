package io.leasehold.redis;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ReleaseRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * How many replicas must have a lock before it counts. WAIT answers for what its own connection has
 * written, so it goes with the script on one connection, which nothing else uses meanwhile.
 */
final class Replication {
  private final ScriptRunner scripts;
  private final int replicas;
  private final long timeoutMillis;

  Replication(LockUrl url, ScriptRunner scripts) {
    this.scripts = scripts;
    this.replicas = url.get(Options.MIN_REPLICAS);
    this.timeoutMillis = url.get(Options.REPLICA_TIMEOUT).toMillis();
  }

  /**
   * Gives something to an owner, if enough replicas have it.
   *
   * @param giver takes it back if they have not
   * @param decode what the script's reply means
   * @param failing a failure as an answer
   */
  <R> CompletionStage<R> give(
      LockNode giver,
      String name,
      String owner,
      ScriptCall call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    if (replicas == 0) {
      return scripts.ask(call, decode, failing);
    }
    return scripts
        .runAllReplicated(List.of(call), replicas, timeoutMillis)
        .get(0)
        .thenCompose(
            replicated -> {
              R reply = decode.apply(replicated.reply());
              return !(reply instanceof Granted) || replicated.replicas() >= replicas
                  ? CompletableFuture.completedStage(reply)
                  : takeBack(giver, name, owner, tooFew(replicated)).thenApply(failing);
            })
        .exceptionally(error -> failing.apply(Failures.of(error)));
  }

  private Failed tooFew(ScriptRunner.Replicated replicated) {
    return new Failed(
        FailureKind.TOO_FEW_REPLICAS,
        "%d of %d replicas had it within %d ms"
            .formatted(replicated.replicas(), replicas, timeoutMillis));
  }

  /**
   * What too few replicas have was not granted. What could not be taken back is there, whatever the
   * reason (a server that has lost its replicas may refuse that, too): the engine must know.
   */
  private static CompletionStage<Failed> takeBack(
      LockNode giver, String name, String owner, Failed tooFew) {
    return giver
        .release(new ReleaseRequest(name, owner))
        .thenApply(
            reply ->
                reply instanceof Failed failed
                    ? new Failed(
                        FailureKind.TIMEOUT,
                        tooFew.message() + ", and it could not be taken back: " + failed.message())
                    : tooFew);
  }

  /** Runs calls that extend; what too few replicas have was not extended. */
  List<CompletionStage<List<?>>> extend(List<ScriptCall> calls) {
    if (replicas == 0) {
      return scripts.runAll(calls);
    }
    return scripts.runAllReplicated(calls, replicas, timeoutMillis).stream()
        .<CompletionStage<List<?>>>map(reply -> reply.thenApply(this::sufficient))
        .toList();
  }

  private List<?> sufficient(ScriptRunner.Replicated replicated) {
    if (replicated.replicas() < replicas) {
      Failed failed = tooFew(replicated);
      throw new ServerRefused(failed.kind(), failed.message());
    }
    return replicated.reply();
  }
}
