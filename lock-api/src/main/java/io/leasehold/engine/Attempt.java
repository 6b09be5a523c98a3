package io.leasehold.engine;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import java.util.concurrent.CompletionStage;

/**
 * One request for a lock, and when it was sent.
 *
 * @param request the request, with an owner id of its own
 * @param sentNanos the monotonic clock before it was sent
 * @param sentWallMillis the wall clock at the same moment
 * @param wakeUpsBefore how many wake-ups the line had had by then
 */
record Attempt(GrantRequest request, long sentNanos, long sentWallMillis, long wakeUpsBefore) {

  /**
   * Nobody waits for the answer any more. It may have been granted, or be granted later: release it
   * now, and once more if the answer still comes and is a grant.
   */
  void abandon(Engine engine, CompletionStage<GrantReply> stage) {
    release(engine);
    stage.whenComplete(
        (reply, error) -> {
          if (reply instanceof Granted) {
            release(engine);
          }
        });
  }

  /** Releases, in the background, whatever this attempt may have been granted. */
  void release(Engine engine) {
    engine.background.release(request.name(), request.owner(), request.ttlMillis());
  }
}
