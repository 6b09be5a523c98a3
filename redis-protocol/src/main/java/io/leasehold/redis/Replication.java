package io.leasehold.redis;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * How many replicas must have a lock before it counts. WAIT answers for what its own connection has
 * written, so it goes with the script on one connection, which nobody shares meanwhile.
 */
final class Replication {
  private final ScriptRunner scripts;
  private final int replicas;
  private final long timeoutMillis;

  private Replication(ScriptRunner scripts, int replicas, long timeoutMillis) {
    this.scripts = scripts;
    this.replicas = replicas;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * What a URL says about it.
   *
   * @throws InvalidConfigurationException when waiting would take longer than a command may
   */
  static Replication of(LockUrl url, ScriptRunner scripts) {
    int replicas = url.get(Options.MIN_REPLICAS);
    if (replicas > 0
        && url.get(Options.REPLICA_TIMEOUT).compareTo(url.get(Options.COMMAND_TIMEOUT)) >= 0) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          Options.REPLICA_TIMEOUT.name(),
          "The option 'replicaTimeout' must be shorter than 'commandTimeout': replicas are waited"
              + " for within one command");
    }
    return new Replication(scripts, replicas, url.get(Options.REPLICA_TIMEOUT).toMillis());
  }

  /** Whether replicas are waited for at all. */
  boolean isWanted() {
    return replicas > 0;
  }

  /** Runs a call, and waits for the replicas. */
  CompletionStage<ScriptRunner.Replicated> run(ScriptCall call) {
    return scripts.runReplicated(call, replicas, timeoutMillis);
  }

  /** Whether enough of them have it. */
  boolean suffices(ScriptRunner.Replicated replicated) {
    return replicated.replicas() >= replicas;
  }

  /** What it means that they do not. */
  Failed tooFew(ScriptRunner.Replicated replicated) {
    return new Failed(
        FailureKind.TOO_FEW_REPLICAS,
        replicated.replicas()
            + " of "
            + replicas
            + " replicas had it within "
            + timeoutMillis
            + " ms");
  }

  /** Runs calls of {@link Script#EXTEND}; what too few replicas have was not extended. */
  List<CompletionStage<List<?>>> extend(List<ScriptCall> calls) {
    if (replicas == 0) {
      return scripts.runAll(calls);
    }
    List<CompletionStage<List<?>>> extended = new ArrayList<>(calls.size());
    for (CompletionStage<ScriptRunner.Replicated> reply :
        scripts.runAllReplicated(calls, replicas, timeoutMillis)) {
      extended.add(
          reply.thenCompose(
              replicated ->
                  suffices(replicated)
                      ? CompletableFuture.completedStage(replicated.reply())
                      : CompletableFuture.failedStage(refused(replicated))));
    }
    return extended;
  }

  private ServerRefused refused(ScriptRunner.Replicated replicated) {
    Failed failed = tooFew(replicated);
    return new ServerRefused(failed.kind(), failed.message());
  }
}
