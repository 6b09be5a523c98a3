package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemoryLine.Call;
import io.leasehold.provider.memory.MemoryLine.Member;
import io.leasehold.provider.memory.MemoryLine.Turn;
import io.leasehold.provider.memory.MemorySpace.Step;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Described;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client's view of a {@link MemorySpace}. Answers at once; never blocks. */
final class MemoryNode
    implements LockNode,
        Described,
        ForcedRelease,
        FairLine,
        ReadWriteLocks,
        Semaphores,
        SeveralLocks,
        LockListing {
  private final MemorySpace space;
  private final long retentionMillis;
  private final Scheduler scheduler;
  private final ClientInfo client;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final MemoryWatchers ears = new MemoryWatchers();
  private final MemoryWatchers permitEars = new MemoryWatchers();
  private final MemoryReaders readers;
  private final MemorySharedView<MemoryReadWriteLock> writers;

  /**
   * @param scheduler ends turns that this client lets pass; when the scheduler has ended, so has
   *     this node, and with it the turn
   * @param client whose node this is
   */
  MemoryNode(
      MemorySpace space,
      long retentionMillis,
      Scheduler scheduler,
      ClientInfo client,
      Runnable onClose) {
    this.space = space;
    this.retentionMillis = retentionMillis;
    this.scheduler = scheduler;
    this.client = client;
    this.onClose = onClose;
    this.readers = new MemoryReaders(this, space, space.readWriteLocks(), new MemoryWatchers());
    this.writers =
        new MemorySharedView<>(
            this, space, space.readWriteLocks(), lock -> lock.writers, new MemoryWatchers(), 0);
  }

  ClientInfo client() {
    return client;
  }

  long retentionMillis() {
    return retentionMillis;
  }

  boolean isOpen() {
    return !closed.get();
  }

  /** Whether a wake-up for a lock reaches anybody. */
  boolean isWatching(String name) {
    return isOpen() && ears.hears(name);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer(() -> told(request.name(), space.grant(request, this)), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(() -> space.raise(request, this), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(() -> told(request.name(), space.release(request, this)), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return answer(() -> told(name, space.forceRelease(name)), failed -> failed);
  }

  @Override
  public CompletionStage<LeaveReply> leave(String name, String place) {
    return answer(() -> told(name, space.leave(name, new Member(this, place))), failed -> failed);
  }

  private <R> R told(String name, Step<R> step) {
    tell(name, step.call());
    return step.reply();
  }

  /** Tells whoever was chosen; outside the space's monitor, because anything may come of it. */
  private void tell(String name, @Nullable Call call) {
    if (call != null) {
      call.client().called(name, call.turn());
    }
  }

  /** As {@link #tell}, to be run later. */
  void collect(String name, @Nullable Call call, List<Runnable> calls) {
    if (call != null) {
      calls.add(() -> tell(name, call));
    }
  }

  private void called(String name, @Nullable Turn turn) {
    if (turn != null) {
      scheduler.schedule(
          () -> tell(name, space.lapse(name, turn)), FairLine.TURN_MILLIS * 1_000_000L);
    }
    ears.call(name);
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
    return answer(() -> space.transfer(request, this), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return answer(() -> space.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return answer(() -> new Watching(hear(name, wake)), failed -> failed);
  }

  /** Has something called when it is this client's turn, until the watch ends. */
  Watch hear(String name, Runnable wake) {
    ears.add(name, wake);
    return () -> tell(name, space.unwatched(name, this, wake));
  }

  /** Ends a watch; true when it was the client's last for this lock. */
  boolean forget(String name, Runnable wake) {
    return ears.remove(name, wake);
  }

  @Override
  public LockNode readers() {
    return readers;
  }

  @Override
  public LockNode writers() {
    return writers;
  }

  @Override
  public LockNode permits(int permits) {
    return new MemorySharedView<>(
        this, space, space.semaphores(), semaphore -> semaphore, permitEars, permits);
  }

  @Override
  public LockNode all(List<String> names) {
    return new MemorySeveral(this, space, names);
  }

  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    return answer(() -> space.list(MemoryPattern.of(pattern), limit), failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return answer(space::identity, failed -> failed);
  }

  <R> CompletionStage<R> answer(Supplier<? extends R> step, Function<Failed, R> failing) {
    R reply =
        closed.get()
            ? failing.apply(new Failed(FailureKind.CLOSED, "the node has been closed"))
            : step.get();
    return CompletableFuture.completedFuture(reply);
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(
        Capability.FENCING,
        Capability.TRANSFER,
        Capability.WAKE_UPS,
        Capability.FAIRNESS,
        Capability.FORCED_RELEASE,
        Capability.READ_WRITE,
        Capability.SEMAPHORES,
        Capability.SEVERAL,
        Capability.LISTING);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public Description description() {
    return new Description(MemoryLockProvider.NAME, "memory");
  }

  @Override
  public String label() {
    return "memory mem://" + space.name();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      space.gone(this, ears.clear()).forEach(this::tell);
      readers.gone();
      writers.gone();
      new MemorySharedView<>(this, space, space.semaphores(), all -> all, permitEars, 1).gone();
      onClose.run();
    }
  }
}
