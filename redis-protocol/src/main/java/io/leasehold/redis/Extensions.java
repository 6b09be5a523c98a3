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
import java.util.function.Function;
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
  private final Function<List<ScriptCall>, List<CompletionStage<List<?>>>> runner;
  private final List<?> first;

  /**
   * @param extend {@link Script#EXTEND}, or a script that answers as that does
   * @param runner runs its calls; the replies are in the order of the calls
   * @param first what the script takes before an owner and a time to live for each lease
   */
  Extensions(
      Servers servers,
      Operation extend,
      Function<List<ScriptCall>, List<CompletionStage<List<?>>>> runner,
      List<?> first) {
    this.servers = servers;
    this.extend = extend;
    this.runner = runner;
    this.first = first;
  }

  /** The answers are in the order of the requests. */
  CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    ExtendReply[] answers = new ExtendReply[requests.size()];
    return run(chunks(requests, answers), answers).thenApply(done -> Arrays.asList(answers));
  }

  private CompletionStage<Void> run(List<Chunk> chunks, ExtendReply[] answers) {
    List<CompletionStage<List<?>>> replies =
        runner.apply(chunks.stream().map(Chunk::call).toList());
    CompletableFuture<?>[] all = new CompletableFuture<?>[chunks.size()];
    for (int i = 0; i < all.length; i++) {
      Chunk chunk = chunks.get(i);
      all[i] =
          replies
              .get(i)
              .thenApply(reply -> Replies.extend(reply, chunk.indexes.size()))
              .handle((extended, error) -> settle(chunk, extended, error, answers))
              .thenCompose(next -> next)
              .toCompletableFuture();
    }
    return CompletableFuture.allOf(all);
  }

  /** Notes the answers to a chunk, or asks once more in the way that a moving slot allows. */
  private CompletionStage<Void> settle(
      Chunk chunk,
      @Nullable List<ExtendReply> extended,
      @Nullable Throwable error,
      ExtendReply[] answers) {
    if (error != null && !chunk.alone && Stages.said("TRYAGAIN", error)) {
      return run(chunk.apart(), answers);
    }
    for (int i = 0; i < chunk.indexes.size(); i++) {
      answers[chunk.indexes.get(i)] =
          extended == null
              ? Failures.of(error == null ? RedisConnectionFailure.closed() : error)
              : extended.get(i);
    }
    return CompletableFuture.allOf();
  }

  /** Sorts the requests into calls; one whose name cannot be a key is answered at once. */
  private List<Chunk> chunks(List<ExtendRequest> requests, ExtendReply[] answers) {
    List<Chunk> full = new ArrayList<>();
    Map<Integer, Chunk> filling = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      ExtendRequest request = requests.get(i);
      LockKeys keys;
      try {
        keys = servers.keys().of(request.name());
      } catch (IllegalArgumentException e) {
        answers[i] = Failures.of(e);
        continue;
      }
      int group = servers.clustered() ? keys.slot() : 0;
      Chunk chunk = filling.computeIfAbsent(group, unseen -> new Chunk(false));
      chunk.add(i, keys, request);
      if (chunk.indexes.size() == CHUNK) {
        full.add(chunk);
        filling.remove(group);
      }
    }
    full.addAll(filling.values());
    return full;
  }

  /** The leases of one call, and where their answers belong. */
  private final class Chunk {
    private final boolean alone;
    private final List<Integer> indexes = new ArrayList<>();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<Object> args = new ArrayList<>();

    private Chunk(boolean alone) {
      this.alone = alone;
    }

    private void add(int index, LockKeys held, ExtendRequest request) {
      indexes.add(index);
      extend.keys().forEach(key -> keys.add(held.get(key)));
      args.add(request.owner());
      args.add(request.ttlMillis());
    }

    private ScriptCall call() {
      List<Object> all = new ArrayList<>(first);
      all.addAll(args);
      ScriptCall call = extend.script().call(keys, all.toArray());
      return alone && !extend.script().needsItsCompanions() ? call.alone() : call;
    }

    /** Each lease in a call of its own, on its lock alone if that will do. */
    private List<Chunk> apart() {
      List<Chunk> all = new ArrayList<>();
      int each = keys.size() / indexes.size();
      for (int i = 0; i < indexes.size(); i++) {
        Chunk one = new Chunk(true);
        one.indexes.add(indexes.get(i));
        one.keys.addAll(keys.subList(each * i, each * i + each));
        one.args.addAll(args.subList(2 * i, 2 * i + 2));
        all.add(one);
      }
      return all;
    }
  }
}
