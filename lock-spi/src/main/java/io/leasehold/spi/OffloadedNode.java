package io.leasehold.spi;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes a node that blocks serve callers that must not: each request runs on an executor. The
 * engine uses it for asynchronous calls and for work in the background, a quorum for asking its
 * members in parallel. A provider may open its node so, when its driver cannot be trusted to keep
 * the command timeout: callers then wait for the stage and no longer than that, not for the driver.
 */
public final class OffloadedNode implements LockNode {
  private final LockNode node;
  private final Executor executor;

  private OffloadedNode(LockNode node, Executor executor) {
    this.node = node;
    this.executor = executor;
  }

  /**
   * A view of a node that does not block.
   *
   * @param executor made only for a node that blocks; see {@link
   *     ProviderContext#newBlockingExecutor}
   */
  public static LockNode nonBlocking(LockNode node, Supplier<Executor> executor) {
    return node.blocking() ? new OffloadedNode(node, executor.get()) : node;
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return run(() -> node.grant(request), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return run(() -> node.raise(request), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return run(() -> node.release(request), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return run(
        () -> node.extend(requests),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return run(() -> node.transfer(request), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return run(() -> node.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return run(() -> node.watch(name, wake), failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return run(node::identity, failed -> failed);
  }

  private <R> CompletionStage<R> run(
      Supplier<CompletionStage<R>> request, Function<Failed, R> failing) {
    CompletableFuture<R> reply = new CompletableFuture<>();
    try {
      executor.execute(
          () -> {
            try {
              request
                  .get()
                  .whenComplete(
                      (answer, error) ->
                          reply.complete(
                              error == null ? answer : failing.apply(unexpected(error))));
            } catch (RuntimeException | Error e) {
              reply.complete(failing.apply(unexpected(e)));
            }
          });
    } catch (RejectedExecutionException e) {
      reply.complete(
          failing.apply(new Failed(FailureKind.OVERLOADED, "too many requests are waiting", e)));
    }
    return reply;
  }

  private static Failed unexpected(Throwable error) {
    // Not its message: that is the driver's, and may contain anything.
    return new Failed(
        FailureKind.OTHER,
        "the provider broke its contract with " + error.getClass().getName(),
        error);
  }

  @Override
  public Set<Capability> capabilities() {
    return node.capabilities();
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return node.label();
  }

  /** As the node; further kinds of lock, and what the engine asks for, do not block either. */
  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return node.offer(kind).map(offered -> kind.cast(nonBlocking(kind, offered)));
  }

  private Object nonBlocking(Class<?> kind, Object offered) {
    if (kind == FairLine.class) {
      FairLine line = (FairLine) offered;
      return (FairLine) (name, place) -> run(() -> line.leave(name, place), failed -> failed);
    }
    if (kind == ReadWriteLocks.class) {
      return nonBlocking((ReadWriteLocks) offered);
    }
    if (kind == Semaphores.class) {
      return (Semaphores) permits -> view(((Semaphores) offered).permits(permits));
    }
    if (kind == SeveralLocks.class) {
      return (SeveralLocks) names -> view(((SeveralLocks) offered).all(names));
    }
    return offered;
  }

  private ReadWriteLocks nonBlocking(ReadWriteLocks locks) {
    return new ReadWriteLocks() {
      @Override
      public LockNode readers() {
        return view(locks.readers());
      }

      @Override
      public LockNode writers() {
        return view(locks.writers());
      }
    };
  }

  private LockNode view(LockNode view) {
    return nonBlocking(view, () -> executor);
  }

  @Override
  public void close() {
    node.close();
  }
}
