package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Described.Description;
import io.leasehold.spi.Failed;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.Scheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The servers of a node, and what talks to them.
 *
 * @param label how the node is called in messages
 * @param description how spans and metrics call it
 * @param noticed what weakens its promises
 * @param port sends commands
 * @param checks whether the servers may keep locks
 * @param scripts runs scripts
 * @param replication has enough replicas keep what was given
 * @param keys the keys of names
 * @param scheduler for delays
 * @param background where the port may be called from threads that must not block
 * @param clustered whether keys of different slots may be kept by different servers
 */
record Servers(
    String label,
    Description description,
    Noticed noticed,
    DriverPort port,
    ServerChecks checks,
    ScriptRunner scripts,
    Replication replication,
    RecentKeys keys,
    Scheduler scheduler,
    Executor background,
    boolean clustered) {

  /**
   * Asks about a name.
   *
   * @param decode what the script's reply means
   * @param failing a failure as an answer
   */
  <R> CompletionStage<R> ask(
      String name,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    ScriptCall made;
    try {
      made = call.apply(keys.of(name));
    } catch (IllegalArgumentException e) { // not a name
      return CompletableFuture.completedStage(failing.apply(Failures.of(e)));
    }
    return scripts.ask(made, decode, failing);
  }

  /** Does something with the keys of a name; a text that cannot be a name is a failure. */
  <R> CompletionStage<R> with(
      String name, Function<LockKeys, CompletionStage<R>> request, Function<Failed, R> failing) {
    LockKeys found;
    try {
      found = keys.of(name);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(failing.apply(Failures.of(e)));
    }
    return request.apply(found);
  }

  /** Who one of the servers is. */
  CompletionStage<IdentityReply> identity() {
    return port.send(NodeOpening.ANY_KEY, RedisCommand.of("INFO"))
        .<IdentityReply>thenApply(reply -> new ServerInfo(Stages.text(reply)).identity())
        .exceptionally(Failures::of);
  }

  /** Closes the port. */
  void close() {
    checks.close();
    port.close();
  }
}
