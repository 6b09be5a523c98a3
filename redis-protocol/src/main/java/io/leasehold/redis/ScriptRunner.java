package io.leasehold.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

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

  CompletionStage<List<?>> run(Script script, ScriptCall call) {
    return healed(script, call, port.call(call));
  }

  /** Runs several calls of one script; the replies are in the order of the calls. */
  List<CompletionStage<List<?>>> runAll(Script script, List<ScriptCall> calls) {
    List<CompletionStage<List<?>>> replies = port.callAll(calls);
    List<CompletionStage<List<?>>> healed = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      healed.add(healed(script, calls.get(i), replies.get(i)));
    }
    return healed;
  }

  private CompletionStage<List<?>> healed(
      Script script, ScriptCall call, CompletionStage<List<?>> reply) {
    return reply.exceptionallyCompose(
        error -> {
          if (!isMissingScript(error)) {
            return CompletableFuture.<List<?>>failedStage(error);
          }
          return port.load(call.routingKey(), List.of(script.source()))
              .thenCompose(loaded -> port.call(call));
        });
  }

  private static boolean isMissingScript(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof RedisErrorReply reply && reply.code().equals("NOSCRIPT");
  }
}
