package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are carried out, and their answers are lost: the engine hears of a time-out. */
public final class LostReplies extends Meddler {

  /** Loses the answers to requests of these kinds. */
  public LostReplies(Operation first, Operation... more) {
    super(first, more);
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    Failed lost = new Failed(FailureKind.TIMEOUT, "the kit has lost the reply");
    return send.get().thenApply(reply -> failing.apply(lost));
  }
}
