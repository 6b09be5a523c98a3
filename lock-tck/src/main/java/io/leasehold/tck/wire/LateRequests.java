package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests reach the node late, perhaps when their sender has given up. */
public final class LateRequests extends Meddler {
  private final Duration delay;

  /** Delays requests of these kinds. */
  public LateRequests(Duration delay, Operation first, Operation... more) {
    super(first, more);
    this.delay = delay;
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return CompletableFuture.supplyAsync(send, after(delay)).thenCompose(stage -> stage);
  }
}
