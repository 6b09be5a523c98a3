package io.leasehold.tck.bench;

import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.tck.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Vouches for the servers of a guarded subject, so that a quarantine holds up no check but the
 * guard's own. Does nothing for a subject whose node does not declare {@link Capability#GUARD}.
 * Thread-safe.
 */
public final class Voucher {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Subject subject;
  private final boolean guarded;

  private Voucher(Subject subject, boolean guarded) {
    this.subject = subject;
    this.guarded = guarded;
  }

  /**
   * Vouches for a subject's servers, if that is called for.
   *
   * @param capabilities what the subject's node declares
   */
  public static Voucher of(Subject subject, Set<Capability> capabilities) {
    return new Voucher(subject, capabilities.contains(Capability.GUARD));
  }

  /** As {@link #vouch}, for callers that cannot be interrupted: the thread keeps its flag. */
  void vouchOrThrow() {
    try {
      vouch();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while vouching for the servers", e);
    }
  }

  /**
   * Vouches. A server may still be coming back, so it asks again for a while.
   *
   * @throws IllegalStateException when it was not answered {@link Vouched} in that time
   */
  public void vouch() throws InterruptedException {
    if (!guarded) {
      return;
    }
    long end = System.nanoTime() + BOUND.toNanos();
    VouchReply reply = ask(end);
    while (!(reply instanceof Vouched)) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException(
            "the servers could not be vouched for: " + SyncNode.shown(reply));
      }
      Waiting.pause(PAUSE);
      reply = ask(end);
    }
  }

  /** Asks through a client that is new: whether an old one reconnects is what a check finds out. */
  private VouchReply ask(long endNanos) throws InterruptedException {
    AtomicReference<LockNode> captured = new AtomicReference<>();
    LockClient client;
    try {
      client =
          subject
              .builder()
              .discoverListeners(false)
              .option("commandTimeout", "5s") // there may be many servers
              .decorate(
                  node -> {
                    captured.set(node);
                    return node;
                  })
              .open();
    } catch (LockException e) {
      return new Failed(FailureKind.OTHER, String.valueOf(e.getMessage()), e);
    }
    try {
      return ask(Objects.requireNonNull(captured.get()), endNanos);
    } finally {
      client.close();
    }
  }

  private static VouchReply ask(LockNode node, long endNanos) throws InterruptedException {
    Vouching vouching =
        node.offer(Vouching.class)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the node declares GUARD and does not offer Vouching: "
                            + "nobody can vouch for its servers"));
    try {
      return vouching
          .vouch()
          .toCompletableFuture()
          .get(Math.max(1, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return new Failed(FailureKind.TIMEOUT, "vouch() was not answered", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("vouch() completed exceptionally", e.getCause());
    }
  }
}
