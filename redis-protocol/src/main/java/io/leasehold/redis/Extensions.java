package io.leasehold.redis;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Extends many leases with few calls. One call takes up to {@value #CHUNK}: enough to make a round
 * trip cheap, and few enough not to keep the server from its other clients. In a cluster the leases
 * of one call are those of one slot.
 */
final class Extensions {
  static final int CHUNK = 100;

  private final Servers servers;
  private final Operation extend;
  private final Object[] first;

  /**
   * @param extend {@link Script#EXTEND}, or a script that answers as that does
   * @param first what the script takes before an owner and a time to live for each lease
   */
  Extensions(Servers servers, Operation extend, Object... first) {
    this.servers = servers;
    this.extend = extend;
    this.first = first;
  }

  /**
   * What is asked for.
   *
   * @param index of its answer
   */
  private record Lease(int index, LockKeys keys, ExtendRequest request) {}

  /** The answers are in the order of the requests. */
  CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    ExtendReply[] answers = new ExtendReply[requests.size()];
    Map<Integer, List<Lease>> groups = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      try {
        LockKeys keys = servers.keys().of(requests.get(i).name());
        groups
            .computeIfAbsent(servers.clustered() ? keys.slot() : 0, unseen -> new ArrayList<>())
            .add(new Lease(i, keys, requests.get(i)));
      } catch (IllegalArgumentException e) { // not a name
        answers[i] = Failures.of(e);
      }
    }
    List<List<Lease>> chunks = new ArrayList<>();
    for (List<Lease> group : groups.values()) {
      for (int from = 0; from < group.size(); from += CHUNK) {
        chunks.add(group.subList(from, Math.min(group.size(), from + CHUNK)));
      }
    }
    return run(chunks, false, answers).thenApply(done -> Arrays.asList(answers));
  }

  /**
   * @param alone whether to name the lock's key alone, if that will do
   */
  private CompletionStage<Boolean> run(
      List<List<Lease>> chunks, boolean alone, ExtendReply[] answers) {
    List<CompletionStage<List<?>>> replies =
        servers.replication().extend(chunks.stream().map(chunk -> call(chunk, alone)).toList());
    List<CompletionStage<Boolean>> all = new ArrayList<>();
    for (List<Lease> chunk : chunks) {
      all.add(
          replies
              .get(all.size())
              .thenApply(reply -> Replies.extend(reply, chunk.size()))
              .handle((extended, error) -> settle(chunk, alone, extended, error, answers))
              .thenCompose(next -> next));
    }
    return Stages.all(all).thenApply(done -> true);
  }

  private ScriptCall call(List<Lease> chunk, boolean alone) {
    List<byte[]> keys = new ArrayList<>();
    List<Object> args = new ArrayList<>(List.of(first));
    for (Lease lease : chunk) {
      extend.keys().forEach(key -> keys.add(lease.keys.get(key)));
      args.add(lease.request.owner());
      args.add(lease.request.ttlMillis());
    }
    ScriptCall call = extend.script().call(keys, args.toArray());
    return alone && !extend.script().needsItsCompanions() ? call.alone() : call;
  }

  /** Notes the answers to a chunk; while its slot moves, each lease is asked for by itself. */
  private CompletionStage<Boolean> settle(
      List<Lease> chunk,
      boolean alone,
      @Nullable List<ExtendReply> extended,
      @Nullable Throwable error,
      ExtendReply[] answers) {
    if (error != null && !alone && Stages.said("TRYAGAIN", error)) {
      return run(chunk.stream().map(List::of).toList(), true, answers);
    }
    for (int i = 0; i < chunk.size(); i++) {
      answers[chunk.get(i).index] =
          extended == null
              ? Failures.of(error == null ? RedisConnectionFailure.closed() : error)
              : extended.get(i);
    }
    return CompletableFuture.completedStage(true);
  }
}
