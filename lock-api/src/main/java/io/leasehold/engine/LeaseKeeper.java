package io.leasehold.engine;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.ServerClockEstimate;
import io.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The watch dog: renews leases in batches and notices when they end. One timer serves all leases of
 * a client, however many there are.
 *
 * <p>Every held lease is in the heap, at the moment when it next needs a look: its renewal, or its
 * end. While a renewal is under way that is its end, so that a silent server cannot hide it.
 * Whoever ends a lease changes its state first and then takes it out of the heap; whoever puts it
 * back looks at its state first, under the same lock. So no timer outlives its lease.
 */
final class LeaseKeeper {
  private static final int BATCH = 500;

  /** Renewals that are due this much later are taken along: one round trip instead of two. */
  private static final long COALESCE_NANOS = 20_000_000L;

  /** How often the two clocks are compared while there are leases, and what counts as a jump. */
  private static final long LOOK_NANOS = 250_000_000L;

  private static final long JUMP_NANOS = 100_000_000L;

  private final Scheduler scheduler;
  private final TimeSource time;
  private final ServerClockEstimate clock;
  private final long patienceNanos;

  private final ReentrantLock guard = new ReentrantLock();
  private final DeadlineHeap<HeldLease> heap = new DeadlineHeap<>();
  private Scheduler.@Nullable Task wake;
  private long wakeNanos;
  private long seenNanos;
  private long seenWallMillis;

  LeaseKeeper(Scheduler scheduler, TimeSource time, ServerClockEstimate clock, long patienceNanos) {
    this.patienceNanos = patienceNanos;
    this.scheduler = scheduler;
    this.time = time;
    this.clock = clock;
    this.seenNanos = time.monotonicNanos();
    this.seenWallMillis = time.wallMillis();
  }

  /** Keeps a lease until it ends. */
  void add(HeldLease lease) {
    putIfRunning(lease, lease.renewalNanos());
  }

  /** Forgets a lease that has ended. */
  void remove(HeldLease lease) {
    guard.lock();
    try {
      heap.remove(lease);
    } finally {
      guard.unlock();
    }
  }

  /** Every lease that is held, in no order. */
  List<HeldLease> all() {
    guard.lock();
    try {
      List<HeldLease> leases = new ArrayList<>(heap.size());
      for (HeldLease lease = heap.first(); lease != null; lease = heap.first()) {
        heap.remove(lease);
        leases.add(lease);
      }
      leases.forEach(lease -> heap.put(lease, lease.dueNanos()));
      return leases;
    } finally {
      guard.unlock();
    }
  }

  private void putIfRunning(HeldLease lease, long dueNanos) {
    guard.lock();
    try {
      if (lease.isRunning()) {
        heap.put(lease, dueNanos);
        arm();
      }
    } finally {
      guard.unlock();
    }
  }

  /** Sees to it that the timer fires for the first lease. Called under the guard. */
  private void arm() {
    HeldLease first = heap.first();
    if (first != null && (wake == null || first.dueNanos() - wakeNanos < 0)) {
      if (wake != null) {
        wake.cancel();
      }
      long now = time.monotonicNanos();
      long delay = Math.min(LOOK_NANOS, Math.max(0, first.dueNanos() - now));
      wakeNanos = now + delay;
      wake = scheduler.schedule(this::tick, delay);
    }
  }

  private void tick() {
    List<HeldLease> due = new ArrayList<>();
    guard.lock();
    try {
      if (wake != null) {
        wake.cancel(); // another one, when this tick began while it was being replaced
        wake = null;
      }
      long now = time.monotonicNanos();
      if (jumped(now)) { // suspended: leases have ended, or are due for a renewal at once
        for (HeldLease lease : all()) {
          lease.resumed();
          heap.put(lease, lease.renewalNanos());
        }
      }
      for (HeldLease lease = heap.first();
          lease != null && isDue(lease, now);
          lease = heap.first()) {
        // Until the renewal is answered, the next look is at the lease's end.
        heap.put(lease, Math.max(lease.endNanos(), now + 1_000_000L));
        due.add(lease);
        if (due.size() >= 100_000) {
          break; // breathe: the timer is armed again below
        }
      }
      arm();
    } finally {
      guard.unlock();
    }
    List<HeldLease> renewals = new ArrayList<>(due.size());
    for (HeldLease lease : due) {
      if (!lease.isRunning() || lease.endedByTime()) {
        continue;
      }
      if (lease.isRenewable()) {
        renewals.add(lease);
      }
    }
    renewals.stream()
        .collect(Collectors.groupingBy(HeldLease::extender))
        .forEach(this::renewInBatches);
  }

  /** Whether the wall clock has run ahead of the monotonic one since the last look. */
  private boolean jumped(long now) {
    long wall = time.wallMillis();
    boolean jumped = (wall - seenWallMillis) * 1_000_000L - (now - seenNanos) > JUMP_NANOS;
    seenNanos = now;
    seenWallMillis = wall;
    return jumped;
  }

  private static boolean isDue(HeldLease lease, long now) {
    // An end is never taken early, a renewal may be.
    boolean renewal = lease.isRenewable() && lease.dueNanos() - lease.endNanos() < 0;
    return lease.dueNanos() - now <= (renewal ? COALESCE_NANOS : 0);
  }

  private void renewInBatches(LockNode node, List<HeldLease> leases) {
    for (int from = 0; from < leases.size(); from += BATCH) {
      renew(node, leases.subList(from, Math.min(from + BATCH, leases.size())));
    }
  }

  private void renew(LockNode node, List<HeldLease> leases) {
    List<ExtendRequest> requests = leases.stream().map(HeldLease::extension).toList();
    long sentNanos = time.monotonicNanos();
    long sentWall = time.wallMillis();
    Safely.call(
        () -> node.extend(requests),
        failed -> copies(failed, leases.size()),
        scheduler,
        patienceNanos,
        replies -> settle(leases, replies, sentNanos, sentWall));
  }

  private void settle(
      List<HeldLease> leases, List<ExtendReply> replies, long sentNanos, long sentWall) {
    List<ExtendReply> answers =
        replies.size() == leases.size()
            ? replies
            : copies(
                new Failed(FailureKind.PROTOCOL, "as many answers as requests were expected"),
                leases.size());
    for (int i = 0; i < leases.size(); i++) {
      HeldLease lease = leases.get(i);
      ExtendReply reply = answers.get(i);
      if (reply instanceof ServerClock known) {
        clock.learn(known);
      }
      if (reply instanceof Extended) {
        lease.extended(sentNanos, sentWall);
        putIfRunning(lease, lease.renewalNanos());
      } else if (reply instanceof NotHeld notHeld) {
        lease.lose(Answers.lossBy(notHeld));
      } else if (reply instanceof Failed failed) {
        lease.notExtended(failed);
        long retry = time.monotonicNanos() + lease.retryNanos();
        putIfRunning(lease, retry - lease.endNanos() < 0 ? retry : lease.endNanos());
      }
    }
  }

  private static List<ExtendReply> copies(Failed failed, int count) {
    List<ExtendReply> copies = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      copies.add(failed);
    }
    return copies;
  }
}
