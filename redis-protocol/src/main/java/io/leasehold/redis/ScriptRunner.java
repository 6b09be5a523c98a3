package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Failed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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

  /**
   * Runs a call, and makes an answer of whatever comes back. Every lock call comes through here: so
   * there is one stage between the port's and the answer, unless the server did not have the script
   * or a slot was moving.
   *
   * @param decode what a reply means
   * @param failing a failure as an answer
   */
  <R> CompletionStage<R> ask(
      ScriptCall call, Function<List<?>, R> decode, Function<Failed, R> failing) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    send(call)
        .whenComplete(
            (reply, error) -> {
              if (reply instanceof RedisErrorReply refused && isTriedAgain(call, refused)) {
                runForHolder(call)
                    .whenComplete(
                        (list, again) -> answer.complete(answer(list, again, decode, failing)));
              } else {
                answer.complete(answer(reply, error, decode, failing));
              }
            });
    return answer;
  }

  private <R> R answer(
      @Nullable Object reply,
      @Nullable Throwable error,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    if (error != null) {
      return failing.apply(Failures.of(Stages.reason(error)));
    }
    try {
      return decode.apply(listed(reply));
    } catch (RuntimeException e) {
      return failing.apply(Failures.of(e));
    }
  }

  /** Either way the server has done nothing. */
  private static boolean isTriedAgain(ScriptCall call, RedisErrorReply refused) {
    return refused.code().equals("NOSCRIPT")
        || (refused.code().equals("TRYAGAIN") && call.script().endsAlone());
  }

  /**
   * Runs a call for the holder of the lock. While its slot moves from one server to another, its
   * companions may be on neither: then on the lock alone.
   */
  private CompletionStage<List<?>> runForHolder(ScriptCall call) {
    return run(call)
        .exceptionallyCompose(
            error ->
                Stages.said("TRYAGAIN", error) && call.script().endsAlone()
                    ? run(call.alone())
                    : CompletableFuture.failedStage(error));
  }

  /** Runs a call; the stage fails with the error that is its reply. */
  CompletionStage<List<?>> run(ScriptCall call) {
    return healed(call, sent(call), () -> sent(call));
  }

  /** Runs several calls; the replies are in the order of the calls. */
  List<CompletionStage<List<?>>> runAll(List<ScriptCall> calls) {
    if (calls.isEmpty() || !checks.arePassed()) {
      return calls.stream().map(this::run).toList();
    }
    List<CompletionStage<Object>> sent =
        port.sendAll(calls.stream().map(ScriptCall::routingKey).toList(), List.copyOf(calls));
    List<CompletionStage<List<?>>> replies = new ArrayList<>(calls.size());
    for (ScriptCall call : calls) {
      CompletionStage<Object> first = sent.get(replies.size());
      replies.add(healed(call, first.thenApply(this::listed), () -> sent(call)));
    }
    return replies;
  }

  /**
   * As {@link #runAll}, and waits for replicas on the connections of the calls: on one server once
   * for all of them, in a cluster once for each slot.
   */
  List<CompletionStage<Replicated>> runAllReplicated(
      List<ScriptCall> calls, int replicas, long millis) {
    Map<Integer, List<ScriptCall>> groups =
        calls.stream()
            .collect(
                Collectors.groupingBy(
                    call -> clustered ? ClusterSlots.of(call.routingKey()) : 0,
                    LinkedHashMap::new,
                    Collectors.toList()));
    IdentityHashMap<ScriptCall, CompletionStage<Replicated>> replies = new IdentityHashMap<>();
    Queue<CompletionStage<?>> underWay =
        new ArrayDeque<>(Collections.nCopies(WAITING, CompletableFuture.completedStage(true)));
    for (List<ScriptCall> group : groups.values()) {
      CompletionStage<List<Object>> all =
          underWay
              .remove()
              .handle((done, error) -> group)
              .thenCompose(next -> waiting(next, replicas, millis));
      underWay.add(all);
      for (int i = 0; i < group.size(); i++) {
        ScriptCall call = group.get(i);
        int index = i;
        replies.put(
            call,
            healed(
                call,
                all.thenApply(raw -> replicated(raw, index)),
                () ->
                    waiting(List.of(call), replicas, millis).thenApply(raw -> replicated(raw, 0))));
      }
    }
    return calls.stream().map(replies::get).toList();
  }

  /** Sends calls and one WAIT on one connection; its reply is the last. */
  private CompletionStage<List<Object>> waiting(List<ScriptCall> calls, int replicas, long millis) {
    List<RedisCommand> commands = new ArrayList<>(calls);
    commands.add(RedisCommand.of("WAIT", replicas, millis));
    return checks
        .passed()
        .thenCompose(passed -> port.sendAlone(calls.get(0).routingKey(), commands));
  }

  /** What the script did is done, whatever WAIT says. */
  private Replicated replicated(List<Object> replies, int index) {
    List<?> list = listed(replies.get(index));
    Object waited = replies.get(replies.size() - 1);
    if (waited instanceof Long count) {
      return new Replicated(list, count);
    }
    throw new UnreadableReplyException(
        waited instanceof RedisErrorReply error
            ? "the server answered to WAIT: " + error.getMessage()
            : "the answer to WAIT is not a number");
  }

  private CompletionStage<Object> send(ScriptCall call) {
    return checks.arePassed()
        ? port.send(call.routingKey(), call)
        : checks.passed().thenCompose(passed -> port.send(call.routingKey(), call));
  }

  private CompletionStage<List<?>> sent(ScriptCall call) {
    return send(call).thenApply(this::listed);
  }

  /**
   * A script's reply as a list.
   *
   * @throws RedisErrorReply if it is an error
   */
  private List<?> listed(@Nullable Object reply) {
    if (reply instanceof RedisErrorReply error) {
      checks.heed(error);
      throw error;
    }
    return reply instanceof List<?> list ? list : Collections.singletonList(reply);
  }

  /** Loads a script that the server does not have, where the call's key is kept. */
  private <T> CompletionStage<T> healed(
      ScriptCall call, CompletionStage<T> reply, Supplier<CompletionStage<T>> again) {
    return reply.exceptionallyCompose(
        error ->
            Stages.said("NOSCRIPT", error)
                ? port.send(
                        call.routingKey(),
                        RedisCommand.of("SCRIPT", "LOAD", call.script().source()))
                    .thenApply(Stages::accepted)
                    .thenCompose(loaded -> again.get())
                : CompletableFuture.failedStage(error));
  }
}
