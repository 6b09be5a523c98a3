package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemoryHolders.Held;
import io.leasehold.provider.memory.MemoryLine.Behind;
import io.leasehold.provider.memory.MemoryLine.Call;
import io.leasehold.provider.memory.MemoryLine.Member;
import io.leasehold.provider.memory.MemoryLine.Turn;
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
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Left;
import io.leasehold.spi.Listed;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server would keep, and its atomic steps. Every step holds the monitor from beginning to
 * end, as a server runs one script at a time; whom it has chosen from a line is handed back to the
 * caller, who tells it outside.
 */
final class MemorySpace {
  /** Expired entries are swept when this many steps have passed: names used once must not leak. */
  private static final int SWEEP_EVERY = 1_024;

  /**
   * What a step answers.
   *
   * @param call whom it has chosen; null for nobody
   */
  record Step<R>(R reply, @Nullable Call call) {
    Step(R reply) {
      this(reply, null);
    }
  }

  private final String name;
  private final String serverId = UUID.randomUUID().toString();
  private final TimeSource time;
  private final long startNanos;
  private final long startMicros;
  private final Map<String, Held> locks = new HashMap<>();
  private final Map<String, Held> forced = new HashMap<>();
  private final MemoryFences fences = new MemoryFences();
  private final MemoryLines lines = new MemoryLines();
  private final MemoryTable<MemoryReadWriteLock> readWriteLocks =
      new MemoryTable<>(MemoryReadWriteLock::new, lock -> List.of(lock.readers, lock.writers));
  private final MemoryTable<MemorySemaphore> semaphores =
      new MemoryTable<>(MemorySemaphore::new, List::of);
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

  /** To be used inside this space's monitor. */
  MemoryTable<MemoryReadWriteLock> readWriteLocks() {
    return readWriteLocks;
  }

  /** To be used inside this space's monitor. */
  MemoryTable<MemorySemaphore> semaphores() {
    return semaphores;
  }

  synchronized void opened() {
    users++;
  }

  /** One user fewer; true when it was the last. */
  synchronized boolean closed() {
    return --users == 0;
  }

  /** A clock that begins at the wall clock and never steps. */
  long now() {
    return startMicros + (time.monotonicNanos() - startNanos) / 1_000;
  }

  synchronized Step<GrantReply> grant(GrantRequest request, MemoryNode client) {
    sweep();
    long now = now();
    if (now > request.notAfter()) {
      return new Step<>(new Expired(now));
    }
    Optional<Busy> busy = busy(request, client);
    if (busy.isPresent()) {
      return new Step<>(busy.get());
    }
    MemoryLine line = lines.find(request.name());
    if (isFree(request.name()) && line != null && request.queueing() == Queueing.FAIR) {
      Behind behind = line.ask(new Member(client, request.place()), now);
      if (behind != null) {
        return new Step<>(new Busy(behind.remainingMillis(), now), behind.call());
      }
    }
    return new Step<>(
        hold(
            List.of(request.name()),
            request.owner(),
            request.ttlMillis(),
            request.proposal(),
            client));
  }

  /** Whether another holds a lock; who asks is entered among those who wait, if it wants to be. */
  synchronized Optional<Busy> busy(GrantRequest request, MemoryNode client) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null || held.owner().equals(request.owner())) {
      return Optional.empty();
    }
    refused(request, client);
    return Optional.of(new Busy(Math.max(0, (held.endMicros() - now + 999) / 1_000), now));
  }

  private void refused(GrantRequest request, MemoryNode client) {
    if (request.queueing() == Queueing.FAIR) {
      lines.change(
          request.name(),
          line -> {
            line.endTurnOf(client); // it came, and cannot be served: that is not letting it pass
            return null;
          });
      if (!request.place().isEmpty()) {
        lines.enter(request.name(), new Member(client, request.place()));
      }
    } else if (request.queueing() == Queueing.WAKE) {
      lines.enter(request.name(), new Member(client, GrantRequest.NO_PLACE));
    }
  }

  synchronized TransferReply transfer(TransferRequest request, MemoryNode client) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null
        || !(held.owner().equals(request.from()) || held.owner().equals(request.to()))) {
      return notHeld(request.name(), request.from(), held, now);
    }
    return hold(
        List.of(request.name()), request.to(), request.ttlMillis(), request.proposal(), client);
  }

  /** Gives locks that are free, or their owner's, to an owner, with one token for all of them. */
  synchronized Granted hold(
      List<String> all, String owner, long ttlMillis, long proposal, MemoryNode client) {
    long now = now();
    long token = fences.next(all, proposal, client.retentionMillis(), now);
    int others = 0;
    for (String lock : all) {
      locks.put(lock, new Held(owner, now + ttlMillis * 1_000, client.client()));
      others = Math.max(others, lines.othersThan(lock, client));
    }
    return new Granted(token, now, 1, List.of(), others);
  }

  synchronized RaiseReply raise(RaiseRequest request, MemoryNode client) {
    long now = now();
    Held held = live(request.name(), now);
    boolean raised =
        held != null
            && held.owner().equals(request.owner())
            && fences.raise(request.name(), request.token(), client.retentionMillis(), now);
    return raised ? new Raised(now) : new Refused(fences.known(request.name(), now), now);
  }

  synchronized Step<ReleaseReply> release(ReleaseRequest request, MemoryNode client) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null || !held.owner().equals(request.owner())) {
      return new Step<>(notHeld(request.name(), request.owner(), held, now));
    }
    locks.remove(request.name());
    Member yielding = new Member(client, GrantRequest.NO_PLACE);
    Call call =
        lines.change(
            request.name(),
            line -> {
              if (request.yielding()) {
                line.leave(yielding);
              }
              return line.choose(request.name(), now, null);
            });
    if (request.yielding()) {
      lines.enter(request.name(), yielding);
    }
    return new Step<>(new Released(now, call != null && call.client() != client), call);
  }

  /** Ends a lock, and remembers for its holder that it was forced. */
  synchronized Step<ReleaseReply> forceRelease(String lock) {
    long now = now();
    Held held = live(lock, now);
    if (held == null) {
      return new Step<>(new NotHeld(NotHeld.Cause.ABSENT, now));
    }
    locks.remove(lock);
    forced.put(lock, held);
    Call call = lines.change(lock, line -> line.choose(lock, now, null));
    return new Step<>(new Released(now, call != null), call);
  }

  /** Gives up a place of a fair line. */
  synchronized Step<LeaveReply> leave(String lock, Member place) {
    long now = now();
    Call call =
        lines.change(
            lock, line -> line.leave(place) && isFree(lock) ? line.choose(lock, now, null) : null);
    return new Step<>(new Left(now), call);
  }

  /** The time of a turn is over: if nobody has taken it, the next has its turn. */
  synchronized @Nullable Call lapse(String lock, Turn turn) {
    return lines.change(
        lock, line -> line.lapse(turn) && isFree(lock) ? line.choose(lock, now(), null) : null);
  }

  /**
   * A watch of a client ends. With its last one for this lock the client waits no more: it may have
   * been told just before, then the next is told instead. Its places stay, because its calls leave
   * them one by one. One step: a client that watches again at this moment has not entered itself
   * before it, so that nothing of the new watch is taken away with the old one.
   */
  synchronized @Nullable Call unwatched(String lock, MemoryNode client, Runnable wake) {
    if (!client.forget(lock, wake)) {
      return null;
    }
    return lines.change(
        lock,
        line -> {
          line.leave(new Member(client, GrantRequest.NO_PLACE));
          line.endTurnOf(client);
          return line.hasTurn() || !isFree(lock) ? null : line.choose(lock, now(), client);
        });
  }

  /** A lock that this client cannot use now: if it is free, the next of those who wait is told. */
  synchronized @Nullable Call offered(String lock, MemoryNode client) {
    return lines.change(
        lock, line -> line.hasTurn() || !isFree(lock) ? null : line.choose(lock, now(), client));
  }

  /**
   * A client is gone, with all of its places. Those who come next, by lock.
   *
   * @param watched the locks for which it may have been told just before
   */
  synchronized Map<String, Call> gone(MemoryNode client, Set<String> watched) {
    return lines.drop(client, watched, this::isFree, now());
  }

  private boolean isFree(String lock) {
    return live(lock, now()) == null;
  }

  synchronized ExtendReply extend(ExtendRequest request) {
    long now = now();
    Held held = live(request.name(), now);
    if (held == null || !held.owner().equals(request.owner())) {
      return notHeld(request.name(), request.owner(), held, now);
    }
    locks.put(
        request.name(), new Held(held.owner(), now + request.ttlMillis() * 1_000, held.client()));
    return new Extended(now);
  }

  private NotHeld notHeld(String lock, String owner, @Nullable Held held, long now) {
    Held taken = forced.get(lock);
    if (taken != null && taken.owner().equals(owner)) {
      return new NotHeld(NotHeld.Cause.FORCED, now);
    }
    return new NotHeld(held == null ? NotHeld.Cause.ABSENT : NotHeld.Cause.TAKEN, now);
  }

  synchronized Inspection inspect(String lock) {
    long now = now();
    return new Inspection(
        Optional.ofNullable(live(lock, now)).map(held -> held.shown(now)),
        fences.known(lock, now),
        lines.size(lock),
        now);
  }

  synchronized Listed list(Pattern pattern, int limit) {
    long now = now();
    List<String> names =
        locks.entrySet().stream()
            .filter(each -> each.getValue().endMicros() > now)
            .map(Map.Entry::getKey)
            .filter(name -> pattern.matcher(name).matches())
            .toList();
    return names.size() <= limit
        ? new Listed(names, true)
        : new Listed(names.subList(0, limit), false);
  }

  synchronized Identity identity() {
    return new Identity(serverId, Identity.Role.PRIMARY, now());
  }

  private @Nullable Held live(String lock, long now) {
    Held held = locks.get(lock);
    return held == null || held.endMicros() <= now ? null : held;
  }

  private void sweep() {
    if (++steps % SWEEP_EVERY == 0) {
      long now = now();
      locks.values().removeIf(held -> held.endMicros() <= now);
      forced.values().removeIf(held -> held.endMicros() <= now);
      fences.sweep(now);
    }
  }
}
