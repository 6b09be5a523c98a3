package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are carried out at once; their answers are held back until they are let go. */
public final class HeldReplies extends Meddler {
  private final CompletableFuture<Boolean> gate = new CompletableFuture<>();

  /** Holds back the answers to requests of these kinds. */
  public HeldReplies(Operation first, Operation... more) {
    super(first, more);
  }

  /** Lets all answers go, those to come included. */
  public void letGo() {
    gate.complete(true);
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return send.get().thenCombine(gate, (reply, open) -> reply);
  }
}
