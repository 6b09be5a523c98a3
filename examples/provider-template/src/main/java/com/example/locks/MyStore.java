package com.example.locks;

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
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What your database or service takes the place of: it keeps locks with an expiry, judged by its
 * own clock, and carries out each of these steps atomically. Here a monitor sees to that.
 */
final class MyStore {
  /** How far a proposed token may be ahead of the clock: one client must not spoil it for all. */
  private static final long EPSILON = 5_000_000;

  /** How far behind the clock a token may begin when nothing is known any more. */
  private static final long LAMBDA = 5_000_000;

  private record Held(String owner, long endMicros) {}

  /** The highest token of a name, which outlives the lock. */
  private record Fence(long token, long endMicros) {}

  private final String name;
  private final String id = UUID.randomUUID().toString();
  private final long startNanos = System.nanoTime();
  private final long startMicros = System.currentTimeMillis() * 1_000;
  private final Map<String, Held> locks = new HashMap<>();
  private final Map<String, Fence> fences = new HashMap<>();

  MyStore(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Microseconds since 1970. */
  private long now() {
    return startMicros + (System.nanoTime() - startNanos) / 1_000;
  }

  synchronized GrantReply grant(GrantRequest request, long retentionMillis) {
    long now = now();
    if (now > request.notAfter()) {
      return new Expired(now); // it was late: whoever asked has given up
    }
    Held held = live(request.name(), now);
    if (held != null && !held.owner().equals(request.owner())) {
      return new Busy((held.endMicros() - now + 999) / 1_000, now);
    }
    long floor = Math.max(fence(request.name(), now), now - LAMBDA);
    boolean usable = floor < request.proposal() && request.proposal() <= now + EPSILON;
    long token = usable ? request.proposal() : floor + 1;
    fences.put(request.name(), new Fence(token, now + retentionMillis * 1_000));
    locks.put(request.name(), new Held(request.owner(), now + request.ttlMillis() * 1_000));
    return new Granted(token, now);
  }

  synchronized RaiseReply raise(RaiseRequest request, long retentionMillis) {
    long now = now();
    Held held = live(request.name(), now);
    long fence = fence(request.name(), now);
    if (held == null
        || !held.owner().equals(request.owner())
        || request.token() < fence
        || request.token() <= now - LAMBDA
        || request.token() > now + EPSILON) {
      return new Refused(fence, now);
    }
    fences.put(request.name(), new Fence(request.token(), now + retentionMillis * 1_000));
    return new Raised(now);
  }

  synchronized ReleaseReply release(ReleaseRequest request) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null || !held.owner().equals(request.owner())) {
      return notHeld(held, now);
    }
    locks.remove(request.name());
    return new Released(now);
  }

  synchronized ExtendReply extend(ExtendRequest request) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null || !held.owner().equals(request.owner())) {
      return notHeld(held, now); // never creates anything
    }
    locks.put(request.name(), new Held(request.owner(), now + request.ttlMillis() * 1_000));
    return new Extended(now);
  }

  synchronized Inspection inspect(String lock) {
    long now = now();
    Optional<Inspection.Holder> holder =
        Optional.ofNullable(live(lock, now))
            .map(held -> new Inspection.Holder(held.owner(), (held.endMicros() - now) / 1_000));
    return new Inspection(holder, fence(lock, now), 0, now);
  }

  synchronized Identity identity() {
    return new Identity(id, Identity.Role.PRIMARY, now());
  }

  private Held live(String lock, long now) {
    Held held = locks.get(lock);
    if (held != null && held.endMicros() <= now) {
      locks.remove(lock);
      return null;
    }
    return held;
  }

  private long fence(String lock, long now) {
    Fence fence = fences.get(lock);
    return fence == null || fence.endMicros() <= now ? 0 : fence.token();
  }

  private static NotHeld notHeld(Held held, long now) {
    return new NotHeld(held == null ? NotHeld.Cause.ABSENT : NotHeld.Cause.TAKEN, now);
  }
}
