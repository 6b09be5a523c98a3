package io.leasehold.provider.redlock;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The requests for locks that are under way to one member, by the owner they are for. What follows
 * for the same owner (a release, a hand-over) is sent when they have been answered: on a connection
 * of its own it might overtake them. Thread-safe.
 */
final class Underway {
  /** So many hand-overs may follow each other without an answer. */
  private static final int FEW = 16;

  private final Map<String, CompletableFuture<Void>> byOwner = new ConcurrentHashMap<>();
  private final AtomicInteger following = new AtomicInteger();

  /** A request is about to be made for this owner. */
  void begins(String owner) {
    byOwner.put(owner, new CompletableFuture<>());
  }

  /** It is over, or is not made. */
  void ends(String owner) {
    CompletableFuture<Void> over = byOwner.remove(owner);
    if (over != null) {
      over.complete(null);
    }
  }

  /** Does something when nothing is under way for this owner: now, or later. */
  <R> CompletionStage<R> after(String owner, Supplier<CompletionStage<R>> next) {
    CompletableFuture<Void> before = byOwner.get(owner);
    return before == null ? next.get() : before.thenCompose(done -> next.get());
  }

  /** As {@link #after}, unless too many follow already: then nothing is done. */
  <R> Optional<CompletionStage<R>> soonAfter(String owner, Supplier<CompletionStage<R>> next) {
    if (!byOwner.containsKey(owner)) {
      return Optional.of(next.get());
    }
    if (following.incrementAndGet() > FEW) {
      following.decrementAndGet();
      return Optional.empty();
    }
    return Optional.of(
        after(owner, next).whenComplete((done, error) -> following.decrementAndGet()));
  }
}
