package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.RW_1;
import static io.leasehold.tck.Requirement.RW_4;

import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What should be one step of a read-write lock, in two. */
final class DowngradeFlaws {
  private DowngradeFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
                "downgrade in two steps",
                (toy, node, url, context) -> with(node, TwoSteps::new, (all, one) -> one),
                RW_4)
            .onlyItsGroups(),
        Control.provider(
                "writer that looks and then takes",
                (toy, node, url, context) -> with(node, (all, one) -> one, LookingWriters::new),
                RW_1,
                RW_4)
            .onlyItsGroups());
  }

  private interface Around {
    LockNode apply(ReadWriteLocks locks, LockNode side);
  }

  private static LockNode with(LockNode node, Around readers, Around writers) {
    return new ForwardingNode(node) {
      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        return kind == ReadWriteLocks.class
            ? super.offer(ReadWriteLocks.class).map(locks -> kind.cast(changed(locks)))
            : super.offer(kind);
      }

      private ReadWriteLocks changed(ReadWriteLocks locks) {
        return new ReadWriteLocks() {
          @Override
          public LockNode readers() {
            return readers.apply(locks, locks.readers());
          }

          @Override
          public LockNode writers() {
            return writers.apply(locks, locks.writers());
          }
        };
      }
    };
  }

  /** Releases the writer, and asks for the reader. */
  private static final class TwoSteps extends ForwardingNode {
    private final ReadWriteLocks locks;

    TwoSteps(ReadWriteLocks locks, LockNode readers) {
      super(readers);
      this.locks = locks;
    }

    @Override
    public CompletionStage<TransferReply> transfer(TransferRequest request) {
      return locks
          .writers()
          .release(new ReleaseRequest(request.name(), request.from()))
          .thenCompose(
              released -> {
                if (!(released instanceof Released)) {
                  return super.transfer(request);
                }
                Pause.millis(2);
                return grant(
                        new GrantRequest(
                            request.name(),
                            request.to(),
                            request.ttlMillis(),
                            request.proposal(),
                            GrantRequest.NO_DEADLINE,
                            Queueing.NONE))
                    .thenApply(
                        reply ->
                            reply instanceof Granted granted
                                ? granted
                                : new NotHeld(NotHeld.Cause.TAKEN, request.proposal()));
              });
    }
  }

  /** Looks whether anybody reads, waits a little, and then minds nobody but writers. */
  private static final class LookingWriters extends ForwardingNode {
    private final ReadWriteLocks locks;

    LookingWriters(ReadWriteLocks locks, LockNode writers) {
      super(writers);
      this.locks = locks;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      if (!isRead(request.name())) {
        Pause.millis(2);
        return super.grant(request)
            .thenCompose(
                reply -> {
                  if (!(reply instanceof Busy)) {
                    return super.grant(request);
                  }
                  // Whoever has come to read meanwhile is overlooked.
                  readers(request.name())
                      .forEach(
                          owner ->
                              locks.readers().release(new ReleaseRequest(request.name(), owner)));
                  return super.grant(request);
                });
      }
      return super.grant(request);
    }

    private boolean isRead(String name) {
      return !readers(name).isEmpty();
    }

    private List<String> readers(String name) {
      return locks.readers().inspect(name).toCompletableFuture().join() instanceof Inspection seen
          ? seen.holders().stream().map(Inspection.Holder::owner).toList()
          : List.of();
    }
  }
}
