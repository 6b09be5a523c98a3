package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts by their digests, on servers that have been checked. A server that does not have a
 * script, because it restarted or was flushed, gets it and is asked again, once: the first call
 * carried out nothing.
 */
final class ScriptRunner {
  /** How many calls may wait for replicas at once. */
  private static final int WAITING = 16;

  private final DriverPort port;
  private final ServerChecks checks;
  private final boolean clustered;

  /**
   * @param clustered whether keys of different slots may be kept by different servers
   */
  ScriptRunner(DriverPort port, ServerChecks checks, boolean clustered) {
    this.port = port;
    this.checks = checks;
    this.clustered = clustered;
  }

  /**
   * What a script answered, and how many replicas have what it wrote.
   *
   * @param reply the script's reply
   * @param replicas how many
   */
  record Replicated(List<?> reply, long replicas) {}

  /** Looks at an error that a server sent. */
  void heed(RedisErrorReply error) {
    checks.heed(error);
  }

  /** Sends a call as it is; an error is a reply. */
  CompletionStage<Object> send(ScriptCall call) {
    return checks.arePassed()
        ? port.send(call.routingKey(), call)
        : checks.passed().thenCompose(passed -> port.send(call.routingKey(), call));
  }

  CompletionStage<List<?>> run(ScriptCall call) {
    return healed(call, () -> send(call).thenApply(this::listed));
  }

  /**
   * Runs a call for the holder of the lock. While its slot moves from one server to another, its
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
  CompletionStage<Replicated> runReplicated(ScriptCall call, int replicas, long millis) {
    return healed(
        call, () -> waiting(List.of(call), replicas, millis).thenApply(all -> all.get(0).get()));
  }

  /** Runs several calls; the replies are in the order of the calls. */
  List<CompletionStage<List<?>>> runAll(List<ScriptCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    if (!checks.arePassed()) {
      return calls.stream().map(this::run).toList();
    }
    List<CompletionStage<Object>> sent =
        port.sendAll(calls.stream().map(ScriptCall::routingKey).toList(), List.copyOf(calls));
    List<CompletionStage<List<?>>> replies = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      ScriptCall call = calls.get(i);
      CompletionStage<Object> first = sent.get(i);
      replies.add(healed(call, first.thenApply(this::listed), () -> run(call)));
    }
    return replies;
  }

  /**
   * As {@link #runAll}, and waits for replicas: on one server once for all calls, in a cluster once
   * for each slot.
   */
  List<CompletionStage<Replicated>> runAllReplicated(
      List<ScriptCall> calls, int replicas, long millis) {
    Map<ScriptCall, CompletableFuture<Replicated>> replies = new LinkedHashMap<>();
    Map<Integer, List<ScriptCall>> groups = new LinkedHashMap<>();
    for (ScriptCall call : calls) {
      replies.put(call, new CompletableFuture<>());
      int group = clustered ? ClusterSlots.of(call.routingKey()) : 0;
      groups.computeIfAbsent(group, unseen -> new ArrayList<>()).add(call);
    }
    inTurn(List.copyOf(groups.values()), 0, replies, replicas, millis);
    return List.copyOf(replies.values());
  }

  private void inTurn(
      List<List<ScriptCall>> groups,
      int from,
      Map<ScriptCall, CompletableFuture<Replicated>> replies,
      int replicas,
      long millis) {
    if (from >= groups.size()) {
      return;
    }
    List<CompletableFuture<?>> some = new ArrayList<>();
    int to = Math.min(groups.size(), from + WAITING);
    for (List<ScriptCall> group : groups.subList(from, to)) {
      some.add(settle(group, replies, replicas, millis).toCompletableFuture());
    }
    CompletionStage<Void> all = CompletableFuture.allOf(some.toArray(CompletableFuture<?>[]::new));
    all.whenComplete((done, error) -> inTurn(groups, to, replies, replicas, millis));
  }

  private CompletionStage<?> settle(
      List<ScriptCall> group,
      Map<ScriptCall, CompletableFuture<Replicated>> replies,
      int replicas,
      long millis) {
    return waiting(group, replicas, millis)
        .handle(
            (all, error) -> {
              for (int i = 0; i < group.size(); i++) {
                ScriptCall call = group.get(i);
                Supplier<Replicated> reply = all == null ? null : all.get(i);
                CompletionStage<Replicated> first =
                    reply == null
                        ? CompletableFuture.failedStage(
                            error == null ? RedisConnectionFailure.closed() : error)
                        : CompletableFuture.completedStage(reply).thenApply(Supplier::get);
                Stages.pass(
                    healed(call, first, () -> runReplicated(call, replicas, millis)),
                    replies.getOrDefault(call, new CompletableFuture<>()));
              }
              return group;
            });
  }

  /** Sends calls and one WAIT; each result throws the error that is its reply. */
  private CompletionStage<List<Supplier<Replicated>>> waiting(
      List<ScriptCall> calls, int replicas, long millis) {
    List<RedisCommand> commands = new ArrayList<>(calls);
    commands.add(RedisCommand.of("WAIT", replicas, millis));
    return checks
        .passed()
        .thenCompose(passed -> port.sendAlone(calls.get(0).routingKey(), commands))
        .thenApply(
            replies -> {
              Object waited = replies.get(calls.size());
              List<Supplier<Replicated>> all = new ArrayList<>(calls.size());
              for (Object reply : replies.subList(0, calls.size())) {
                all.add(() -> replicated(reply, waited));
              }
              return all;
            });
  }

  /** What the script did is done, whatever WAIT says. */
  private Replicated replicated(Object reply, Object waited) {
    List<?> list = listed(reply);
    if (waited instanceof Long count) {
      return new Replicated(list, count);
    }
    throw new UnreadableReplyException(
        waited instanceof RedisErrorReply error
            ? "the server answered to WAIT: " + error.getMessage()
            : "the answer to WAIT is not a number");
  }

  /**
   * A script's reply as a list.
   *
   * @throws RedisErrorReply if it is an error
   */
  List<?> listed(@Nullable Object reply) {
    if (reply instanceof RedisErrorReply error) {
      checks.heed(error);
      throw error;
    }
    return reply instanceof List<?> list ? list : Collections.singletonList(reply);
  }

  private <T> CompletionStage<T> healed(ScriptCall call, Supplier<CompletionStage<T>> attempt) {
    return healed(call, attempt.get(), attempt);
  }

  private <T> CompletionStage<T> healed(
      ScriptCall call, CompletionStage<T> reply, Supplier<CompletionStage<T>> again) {
    return reply.exceptionallyCompose(
        error ->
            Stages.said("NOSCRIPT", error)
                ? load(call).thenCompose(loaded -> again.get())
                : CompletableFuture.<T>failedStage(error));
  }

  /** Loads a script at the server that owns the call's key. */
  private CompletionStage<?> load(ScriptCall call) {
    return port.send(call.routingKey(), RedisCommand.of("SCRIPT", "LOAD", call.script().source()))
        .thenApply(Stages::accepted);
  }
}
