package io.leasehold.provider.memory;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** One client's view of a {@link MemorySpace}. Answers at once; never blocks. */
final class MemoryNode implements LockNode, ForcedRelease {
  private final MemorySpace space;
  private final long retentionMillis;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

  MemoryNode(MemorySpace space, long retentionMillis, Runnable onClose) {
    this.space = space;
    this.retentionMillis = retentionMillis;
    this.onClose = onClose;
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    if (request.queueing() == Queueing.FAIR) {
      return CompletableFuture.completedFuture(
          new Failed(FailureKind.OTHER, "fair locks are not offered"));
    }
    return answer(() -> space.grant(request, retentionMillis, this), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(() -> space.raise(request, retentionMillis), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(
        () -> woken(request.name(), space.release(request.name(), request.owner())),
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return answer(() -> woken(name, space.forceRelease(name)), failed -> failed);
  }

  private ReleaseReply woken(String name, ReleaseReply reply) {
    if (reply instanceof Released) {
      wakeOne(name);
    }
    return reply;
  }

  /** Wakes the first waiting client that still watches; the others are passed over. */
  private void wakeOne(String name) {
    MemoryNode next = space.nextWaiter(name);
    while (next != null && !next.wake(name)) {
      next = space.nextWaiter(name);
    }
  }

  private boolean wake(String name) {
    List<Runnable> here = watchers.get(name);
    if (closed.get() || here == null || here.isEmpty()) {
      return false;
    }
    here.forEach(Runnable::run);
    return true;
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return answer(
        () -> {
          List<ExtendReply> replies = new ArrayList<>(requests.size());
          requests.forEach(request -> replies.add(space.extend(request)));
          return replies;
        },
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return answer(() -> space.transfer(request, retentionMillis), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return answer(() -> space.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return answer(
        () -> {
          watchers.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>()).add(wake);
          return new Watching(() -> unwatch(name, wake));
        },
        failed -> failed);
  }

  private void unwatch(String name, Runnable wake) {
    watchers.computeIfPresent(
        name,
        (n, here) -> {
          here.remove(wake);
          return here.isEmpty() ? null : here;
        });
    if (!watchers.containsKey(name)) {
      space.forget(name, this);
      // A wake-up may have come just before: if the lock is free, it is the next one's.
      wakeOne(name);
    }
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return answer(space::identity, failed -> failed);
  }

  private <R> CompletionStage<R> answer(Supplier<? extends R> step, Function<Failed, R> failing) {
    R reply =
        closed.get()
            ? failing.apply(new Failed(FailureKind.CLOSED, "the node has been closed"))
            : step.get();
    return CompletableFuture.completedFuture(reply);
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(
        Capability.FENCING, Capability.TRANSFER, Capability.WAKE_UPS, Capability.FORCED_RELEASE);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return "memory mem://" + space.name();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      for (String name : List.copyOf(watchers.keySet())) {
        watchers.remove(name);
        space.forget(name, this);
        wakeOne(name);
      }
      onClose.run();
    }
  }
}
