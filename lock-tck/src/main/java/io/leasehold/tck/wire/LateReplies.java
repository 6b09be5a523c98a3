package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are carried out at once; their answers come late. */
public final class LateReplies extends Meddler {
  private final Duration delay;

  /** Delays the answers to requests of these kinds. */
  public LateReplies(Duration delay, Operation first, Operation... more) {
    super(first, more);
    this.delay = delay;
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return send.get().thenApplyAsync(reply -> reply, after(delay));
  }
}
