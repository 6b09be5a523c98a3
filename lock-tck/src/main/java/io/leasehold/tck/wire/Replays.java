package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are carried out twice, as drivers do after a reconnect; the second answer counts. */
public final class Replays extends Meddler {

  /** Repeats requests of these kinds. */
  public Replays(Operation first, Operation... more) {
    super(first, more);
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return send.get().thenCompose(first -> send.get());
  }
}
