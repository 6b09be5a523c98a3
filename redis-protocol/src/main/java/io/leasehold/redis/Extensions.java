package io.leasehold.redis;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Extends many leases with few calls. One call takes up to {@value #CHUNK}: enough to make a round
 * trip cheap, and few enough not to keep the server from its other clients.
 */
final class Extensions {
  static final int CHUNK = 100;

  private final ScriptRunner scripts;

  Extensions(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** The answers are in the order of the requests. */
  CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    List<List<ExtendRequest>> chunks = new ArrayList<>();
    for (int from = 0; from < requests.size(); from += CHUNK) {
      chunks.add(requests.subList(from, Math.min(requests.size(), from + CHUNK)));
    }
    List<ScriptCall> calls;
    try {
      calls = chunks.stream().map(Extensions::call).toList();
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(all(requests.size(), Failures.of(e)));
    }
    List<CompletionStage<List<ExtendReply>>> answers = new ArrayList<>();
    var replies = scripts.runAll(Script.EXTEND, calls);
    for (int i = 0; i < replies.size(); i++) {
      int size = chunks.get(i).size();
      answers.add(
          replies
              .get(i)
              .thenApply(reply -> Replies.extend(reply, size))
              .exceptionally(error -> all(size, Failures.of(error))));
    }
    CompletionStage<List<ExtendReply>> joined = CompletableFuture.completedStage(List.of());
    for (CompletionStage<List<ExtendReply>> answer : answers) {
      joined =
          joined.thenCombine(
              answer,
              (before, next) -> {
                List<ExtendReply> both = new ArrayList<>(before);
                both.addAll(next);
                return both;
              });
    }
    return joined;
  }

  private static ScriptCall call(List<ExtendRequest> chunk) {
    List<byte[]> keys = new ArrayList<>(2 * chunk.size());
    List<Object> args = new ArrayList<>(2 * chunk.size());
    for (ExtendRequest request : chunk) {
      LockKeys lock = LockKeys.of(request.name());
      keys.add(lock.lock());
      keys.add(lock.forced());
      args.add(request.owner());
      args.add(request.ttlMillis());
    }
    return Script.EXTEND.call(keys, args.toArray());
  }

  private static List<ExtendReply> all(int size, Failed failed) {
    return Collections.nCopies(size, failed);
  }
}
