package io.leasehold.redis;

import io.leasehold.spi.Failed;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script on its way, which becomes its answer: the one object that a lock call costs
 * here when nothing is out of the ordinary. What is (a script that the server does not have, a slot
 * that moves) takes the long way.
 *
 * @param <R> what is answered
 */
final class Asked<R> extends CompletableFuture<R> {
  private final ScriptRunner scripts;
  private final ScriptCall call;
  private final Function<List<?>, ? extends R> decode;
  private final Function<Failed, ? extends R> failing;

  private Asked(
      ScriptRunner scripts,
      ScriptCall call,
      Function<List<?>, ? extends R> decode,
      Function<Failed, ? extends R> failing) {
    this.scripts = scripts;
    this.call = call;
    this.decode = decode;
    this.failing = failing;
  }

  /**
   * Sends a call.
   *
   * @param decode what a reply means
   * @param failing a failure as an answer
   */
  static <R> CompletionStage<R> of(
      ScriptRunner scripts,
      ScriptCall call,
      Function<List<?>, ? extends R> decode,
      Function<Failed, ? extends R> failing) {
    Asked<R> asked = new Asked<>(scripts, call, decode, failing);
    scripts
        .send(call)
        .whenComplete(
            (reply, error) -> {
              if (error == null) {
                asked.replied(reply);
              } else {
                asked.failed(Stages.reason(error));
              }
            });
    return asked;
  }

  private void replied(@Nullable Object reply) {
    if (reply instanceof RedisErrorReply error) {
      // Either way the server has done nothing.
      if (error.code().equals("NOSCRIPT")) {
        take(scripts.run(call));
      } else if (call.script().endsAlone() && error.code().equals("TRYAGAIN")) {
        take(scripts.runForHolder(call));
      } else {
        scripts.heed(error);
        failed(error);
      }
      return;
    }
    decoded(reply instanceof List<?> list ? list : Collections.singletonList(reply));
  }

  private void failed(RuntimeException why) {
    complete(failing.apply(Failures.of(why)));
  }

  private void decoded(List<?> reply) {
    R answer;
    try {
      answer = decode.apply(reply);
    } catch (RuntimeException e) {
      failed(e);
      return;
    }
    complete(answer);
  }

  private void take(CompletionStage<List<?>> longWay) {
    longWay.whenComplete(
        (reply, error) -> {
          if (error == null) {
            decoded(reply);
          } else {
            complete(failing.apply(Failures.of(error)));
          }
        });
  }
}
