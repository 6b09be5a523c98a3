package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are not carried out and never answered. */
public final class Silence extends Meddler {

  /** Swallows requests of these kinds. */
  public Silence(Operation first, Operation... more) {
    super(first, more);
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return new CompletableFuture<>();
  }
}
