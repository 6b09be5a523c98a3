package io.leasehold.tck.toy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts until it is clear whether enough say yes. */
final class Tally {
  private Tally() {}

  static CompletionStage<Boolean> of(List<CompletionStage<Boolean>> voices, int needed) {
    CompletableFuture<Boolean> enough = new CompletableFuture<>();
    AtomicInteger yes = new AtomicInteger();
    AtomicInteger open = new AtomicInteger(voices.size());
    if (voices.size() < needed) {
      enough.complete(false);
    }
    for (CompletionStage<Boolean> voice : voices) {
      voice.thenAccept(
          said -> {
            int now = said ? yes.incrementAndGet() : yes.get();
            int rest = open.decrementAndGet();
            if (now >= needed) {
              enough.complete(true);
            } else if (yes.get() + rest < needed) {
              enough.complete(false);
            }
          });
    }
    return enough;
  }
}
