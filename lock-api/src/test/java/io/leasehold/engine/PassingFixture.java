package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.TransferRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A client whose node gives it several tokens with each transfer, on virtual time. */
final class PassingFixture {
  static final int TOKENS = 10;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  /** The virtual clock, at one of whose readings something happens. */
  static final class HookedTime implements TimeSource {
    private final TimeSource time;
    private final AtomicInteger left = new AtomicInteger();
    private volatile @Nullable Runnable hook;

    HookedTime(TimeSource time) {
      this.time = time;
    }

    /** At this reading of the monotonic clock from now on, counted from 1. */
    void at(int reading, Runnable what) {
      left.set(reading);
      hook = what;
    }

    boolean hasHappened() {
      return hook == null;
    }

    @Override
    public long monotonicNanos() {
      Runnable what = hook;
      if (what != null && left.decrementAndGet() == 0) {
        hook = null;
        what.run();
      }
      return time.monotonicNanos();
    }

    @Override
    public long wallMillis() {
      return time.wallMillis();
    }
  }

  final VirtualTime time = new VirtualTime();
  final HookedTime clock = new HookedTime(time);
  final ScriptedNode node = new ScriptedNode(time);
  final HandingNode handing = new HandingNode(node, Capability.WAKE_UPS);

  PassingFixture() {
    handing.transferring(TOKENS, 0);
  }

  LocksBuilder builder() {
    return Locks.builder().node(handing).clock(clock).scheduler(time).discoverListeners(false);
  }

  /** A lease that was granted, before others wait. */
  Lease held(DistributedLock lock) {
    handing.grant(0);
    Lease lease = lock.tryAcquire().orElseThrow();
    handing.busy();
    return lease;
  }

  CompletableFuture<Lease> waiting(DistributedLock lock) {
    CompletableFuture<Lease> future = lock.acquireAsync(MINUTE);
    time.advance(MOMENT);
    assertThat(future).isNotDone();
    return future;
  }

  /** A lease that came by a transfer and goes on to the next call. */
  Lease transferred(LockClient client) {
    Lease first = held(client.lock("a"));
    CompletableFuture<Lease> second = waiting(client.lock("a"));
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    return EngineFixture.get(second);
  }

  /** A lease that was passed on without a request, since which no time has passed. */
  Lease passed(LockClient client) {
    Lease first = held(client.lock("a"));
    CompletableFuture<Lease> second = waiting(client.lock("a"));
    CompletableFuture<Lease> third = waiting(client.lock("a"));
    first.release();
    Lease next = EngineFixture.get(second);
    int asked = requests();
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease last = EngineFixture.get(third);
    assertThat(requests()).isEqualTo(asked);
    return last;
  }

  /** How much was asked of the server, of any kind. */
  int requests() {
    return node.grants.size()
        + node.releases.size()
        + node.extensions.size()
        + handing.transfers.size()
        + handing.left.size();
  }

  List<String> releasedOwners() {
    return node.releases.stream().map(ReleaseRequest::owner).toList();
  }

  TransferRequest onlyTransfer() {
    assertThat(handing.transfers).hasSize(1);
    return handing.transfers.get(0);
  }
}
