package io.leasehold.provider.memory;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a server would keep, and its atomic steps. Every public step holds the monitor from
 * beginning to end, as a server runs one script at a time; wake-ups are handed back to the caller,
 * who gives them outside.
 */
final class MemorySpace {
  /** How far below the clock a fence that was forgotten may have been, and above it accepted. */
  private static final long SPAN_MICROS = 5_000_000;

  /** Expired entries are swept when this many steps have passed: names used once must not leak. */
  private static final int SWEEP_EVERY = 1_024;

  private record Held(String owner, long endMicros) {}

  private record Fence(long token, long endMicros) {}

  private final String name;
  private final String serverId = UUID.randomUUID().toString();
  private final TimeSource time;
  private final long startNanos;
  private final long startMicros;
  private final Map<String, Held> locks = new HashMap<>();
  private final Map<String, Fence> fences = new HashMap<>();
  private final Map<String, Held> forced = new HashMap<>();
  private final Map<String, Set<MemoryNode>> waiters = new HashMap<>();
  private int users;
  private int steps;

  MemorySpace(String name, TimeSource time) {
    this.name = name;
    this.time = time;
    this.startNanos = time.monotonicNanos();
    this.startMicros = time.wallMillis() * 1_000;
  }

  String name() {
    return name;
  }

  synchronized void opened() {
    users++;
  }

  /** One user fewer; true when it was the last. */
  synchronized boolean closed() {
    return --users == 0;
  }

  /** A clock that begins at the wall clock and never steps. */
  private long now() {
    return startMicros + (time.monotonicNanos() - startNanos) / 1_000;
  }

  synchronized GrantReply grant(GrantRequest request, long retentionMillis, MemoryNode client) {
    sweep();
    long now = now();
    if (now > request.notAfter()) {
      return new Expired(now);
    }
    Held held = live(locks, request.name(), now);
    if (held != null && !held.owner.equals(request.owner())) {
      if (request.queueing() != Queueing.NONE) {
        waiters.computeIfAbsent(request.name(), n -> new LinkedHashSet<>()).add(client);
      }
      return new Busy(Math.max(0, (held.endMicros - now + 999) / 1_000), now);
    }
    forget(request.name(), client);
    long token = nextToken(request.name(), request.proposal(), now);
    hold(request.name(), request.owner(), request.ttlMillis(), token, retentionMillis, now);
    return new Granted(token, now);
  }

  synchronized TransferReply transfer(TransferRequest request, long retentionMillis) {
    long now = now();
    Held held = live(locks, request.name(), now);
    if (held == null || !(held.owner.equals(request.from()) || held.owner.equals(request.to()))) {
      return notHeld(request.name(), request.from(), held, now);
    }
    long token = nextToken(request.name(), request.proposal(), now);
    hold(request.name(), request.to(), request.ttlMillis(), token, retentionMillis, now);
    return new Granted(token, now);
  }

  /** The proposal where it fits between what was given out and what the clock allows. */
  private long nextToken(String lock, long proposal, long now) {
    Fence fence = fences.get(lock);
    long known = fence == null || fence.endMicros <= now ? 0 : fence.token;
    long floor = Math.max(known, now - SPAN_MICROS);
    return proposal > floor && proposal <= now + SPAN_MICROS ? proposal : floor + 1;
  }

  private void hold(
      String lock, String owner, long ttlMillis, long token, long retentionMillis, long now) {
    fences.put(lock, new Fence(token, now + retentionMillis * 1_000));
    locks.put(lock, new Held(owner, now + ttlMillis * 1_000));
  }

  synchronized RaiseReply raise(RaiseRequest request, long retentionMillis) {
    long now = now();
    Held held = live(locks, request.name(), now);
    Fence fence = fences.get(request.name());
    long known = fence == null || fence.endMicros <= now ? 0 : fence.token;
    if (held == null
        || !held.owner.equals(request.owner())
        || known > request.token()
        || request.token() > now + SPAN_MICROS) {
      return new Refused(known, now);
    }
    fences.put(request.name(), new Fence(request.token(), now + retentionMillis * 1_000));
    return new Raised(now);
  }

  synchronized ReleaseReply release(String lock, String owner) {
    long now = now();
    Held held = live(locks, lock, now);
    if (held == null || !held.owner.equals(owner)) {
      return notHeld(lock, owner, held, now);
    }
    locks.remove(lock);
    return new Released(now);
  }

  /** Ends a lock, and remembers for its holder that it was forced. */
  synchronized ReleaseReply forceRelease(String lock) {
    long now = now();
    Held held = live(locks, lock, now);
    if (held == null) {
      return new NotHeld(NotHeld.Cause.ABSENT, now);
    }
    locks.remove(lock);
    forced.put(lock, held);
    return new Released(now);
  }

  synchronized ExtendReply extend(ExtendRequest request) {
    long now = now();
    Held held = live(locks, request.name(), now);
    if (held == null || !held.owner.equals(request.owner())) {
      return notHeld(request.name(), request.owner(), held, now);
    }
    locks.put(request.name(), new Held(held.owner, now + request.ttlMillis() * 1_000));
    return new Extended(now);
  }

  private NotHeld notHeld(String lock, String owner, @Nullable Held held, long now) {
    Held taken = forced.get(lock);
    if (taken != null && taken.owner.equals(owner)) {
      return new NotHeld(NotHeld.Cause.FORCED, now);
    }
    return new NotHeld(held == null ? NotHeld.Cause.ABSENT : NotHeld.Cause.TAKEN, now);
  }

  synchronized Inspection inspect(String lock) {
    long now = now();
    Held held = live(locks, lock, now);
    Fence fence = fences.get(lock);
    Set<MemoryNode> waiting = waiters.get(lock);
    return new Inspection(
        Optional.ofNullable(held)
            .map(h -> new Inspection.Holder(h.owner, Math.max(0, (h.endMicros - now) / 1_000))),
        fence == null || fence.endMicros <= now ? 0 : fence.token,
        waiting == null ? 0 : waiting.size(),
        now);
  }

  synchronized Identity identity() {
    return new Identity(serverId, Identity.Role.PRIMARY, now());
  }

  /** The next client to wake for a lock that is free; null when there is none. */
  synchronized @Nullable MemoryNode nextWaiter(String lock) {
    Set<MemoryNode> waiting = waiters.get(lock);
    if (waiting == null || live(locks, lock, now()) != null) {
      return null;
    }
    MemoryNode first = waiting.iterator().next();
    forget(lock, first);
    return first;
  }

  synchronized void forget(String lock, MemoryNode client) {
    Set<MemoryNode> waiting = waiters.get(lock);
    if (waiting != null && waiting.remove(client) && waiting.isEmpty()) {
      waiters.remove(lock);
    }
  }

  private static @Nullable Held live(Map<String, Held> locks, String lock, long now) {
    Held held = locks.get(lock);
    return held == null || held.endMicros <= now ? null : held;
  }

  private void sweep() {
    if (++steps % SWEEP_EVERY == 0) {
      long now = now();
      locks.values().removeIf(held -> held.endMicros <= now);
      forced.values().removeIf(held -> held.endMicros <= now);
      fences.values().removeIf(fence -> fence.endMicros <= now);
    }
  }
}
