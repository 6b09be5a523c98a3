package io.leasehold.tck.toy;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Left;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.StoredEntries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data of a server, and what its scripts do to it: the algorithm of {@code fencing.md} for one
 * node. Every method is one atomic step under the server's monitor, which flaws may take as well.
 */
public final class ToyServer implements StoredEntries {
  /** How far a token may lie ahead of, or a forgotten fence behind, the server's clock. */
  public static final long REACH_MICROS = 5_000_000;

  /** A lock: whose, and until when on the server's clock. */
  public record Entry(String owner, long endMicros) {

    /** The end of a lock that never ends. */
    public static final long NEVER = Long.MAX_VALUE;
  }

  /**
   * Ends turns, of which there may be thousands in a second. A delayed executor would start a
   * thread for each on a machine with two processors, and delay all other delayed tasks of the JVM.
   */
  private static final ScheduledExecutorService TURNS =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "toy-turns");
            thread.setDaemon(true);
            return thread;
          });

  private static final long SWEEP_MICROS = 50_000;

  private record Fence(long token, long endMicros) {}

  private final Map<String, Entry> locks = new HashMap<>();
  private final Map<String, Fence> fences = new HashMap<>();
  private final Map<String, String> forced = new HashMap<>();
  private final AtomicLong jumpMicros =
      new AtomicLong(System.currentTimeMillis() * 1_000 - System.nanoTime() / 1_000);
  private final Map<String, ToyCrowd> crowds = new HashMap<>();
  private final CrowdRules crowdRules;
  private final Waiters waiters;
  private final ToyGuard guard = new ToyGuard();
  private boolean sweeping = true;
  private long sweptMicros;

  /** A server whose fair lines have rules, and whose crowds. */
  ToyServer(LineRules rules, CrowdRules crowdRules) {
    this.crowdRules = crowdRules;
    waiters = new Waiters(rules, this::endLater);
  }

  CrowdRules crowdRules() {
    return crowdRules;
  }

  /** A lock that several can hold; to be used inside this monitor. */
  synchronized ToyCrowd crowd(String name) {
    return crowds.computeIfAbsent(name, n -> new ToyCrowd(n, crowdRules));
  }

  /** The names of the locks that are held, by a pattern. */
  synchronized List<String> held(String pattern) {
    return locks.keySet().stream()
        .filter(name -> entry(name) != null && ToyPatterns.matches(pattern, name))
        .toList();
  }

  /** The server's clock. */
  public long nowMicros() {
    return System.nanoTime() / 1_000 + jumpMicros.get();
  }

  /** From now on nothing that has expired is removed. */
  public synchronized void stopSweeping() {
    sweeping = false;
  }

  private void sweep(long now) {
    if (sweeping && now - sweptMicros > SWEEP_MICROS) {
      sweptMicros = now;
      locks.values().removeIf(lock -> lock.endMicros <= now);
      fences.values().removeIf(fence -> fence.endMicros <= now);
    }
  }

  /** How many locks and fences it stores whose names contain a text. */
  @Override
  public synchronized long count(String text) {
    return Stream.of(locks, fences)
        .flatMap(entries -> entries.keySet().stream())
        .filter(name -> name.contains(text))
        .count();
  }

  @Override
  public Duration removedWithin() {
    return Duration.ofNanos(SWEEP_MICROS * 1_000);
  }

  /** Lets time pass at once. */
  public void passTime(Duration span) {
    jumpMicros.addAndGet(span.toNanos() / 1_000);
  }

  /** The lock of a name, if it is held now. */
  public synchronized @Nullable Entry entry(String name) {
    return entry(name, nowMicros());
  }

  /** The lock of a name, if it is held at a moment. */
  public synchronized @Nullable Entry entry(String name, long atMicros) {
    Entry entry = locks.get(name);
    return entry == null || entry.endMicros <= atMicros ? null : entry;
  }

  /** Writes a lock, whoever holds it. */
  public synchronized void put(String name, Entry entry) {
    locks.put(name, entry);
  }

  /** Deletes a lock, whoever holds it. */
  public synchronized void erase(String name) {
    locks.remove(name);
  }

  /** The highest token given out for a name, as far as it is remembered; 0 for none. */
  public synchronized long fence(String name) {
    Fence fence = fences.get(name);
    return fence == null || fence.endMicros <= nowMicros() ? 0 : fence.token;
  }

  /** Writes a fence. */
  public synchronized void fence(String name, long token, Duration retention) {
    fences.put(name, new Fence(token, nowMicros() + retention.toNanos() / 1_000));
  }

  /** Who waits. */
  public Waiters waiters() {
    return waiters;
  }

  /** Its guard. */
  public ToyGuard guard() {
    return guard;
  }

  /** Forgets the tokens that it gave out. */
  public synchronized void forgetFences() {
    fences.clear();
  }

  /** Forgets everything. */
  public synchronized void loseState() {
    guard.forget();
    locks.clear();
    fences.clear();
    forced.clear();
  }

  GrantReply grant(
      GrantRequest request, Waiters.Client client, Duration retention, long quarantineMillis) {
    List<Runnable> wakeUps = new ArrayList<>(1);
    GrantReply reply = grant(request, client, retention, quarantineMillis, wakeUps);
    wakeUps.forEach(Runnable::run);
    return reply;
  }

  private synchronized GrantReply grant(
      GrantRequest request,
      Waiters.Client client,
      Duration retention,
      long quarantineMillis,
      List<Runnable> wakeUps) {
    long now = nowMicros();
    sweep(now);
    if (now > request.notAfter()) {
      return new Expired(now);
    }
    long guarded = guard.remainingMillis(quarantineMillis, now);
    if (guarded > 0) {
      return new Guarded(guarded, now);
    }
    Entry held = entry(request.name());
    if (held != null && !held.owner.equals(request.owner())) {
      enter(request, client);
      return new Busy(remainingMillis(held, now), now);
    }
    if (held == null && isFair(request) && waiters.rules().sees(request)) {
      Waiters.Ahead ahead = waiters.ask(request.name(), client, request.place(), now);
      if (ahead != null) {
        wakeUps.add(ahead.wake());
        return new Busy(ahead.remainingMillis(), now);
      }
    }
    put(request.name(), new Entry(request.owner(), now + request.ttlMillis() * 1_000));
    return granted(request.name(), request.proposal(), retention, client, now);
  }

  private static boolean isFair(GrantRequest request) {
    return request.queueing() == Queueing.FAIR;
  }

  private void enter(GrantRequest request, Waiters.Client client) {
    if (isFair(request)) {
      waiters.refused(request.name(), client);
    }
    if (request.queueing() == Queueing.WAKE || !request.place().isEmpty()) {
      waiters.enter(request.name(), client, request.place());
    }
  }

  private Granted granted(
      String name, long proposal, Duration retention, Waiters.Client client, long now) {
    int others = waiters.served(name, client);
    long token = nextToken(name, proposal, retention);
    return new Granted(token, now, 1, List.of(), others);
  }

  /** What the next token for a name is above. */
  private long floor(String name, long now) {
    return Math.max(fence(name), now - REACH_MICROS);
  }

  /** The next token for a name. */
  public synchronized long nextToken(String name, long proposal, Duration retention) {
    long now = nowMicros();
    long floor = floor(name, now);
    long token = floor < proposal && proposal <= now + REACH_MICROS ? proposal : floor + 1;
    fence(name, token, retention);
    return token;
  }

  ReleaseReply release(ReleaseRequest request, Waiters.Client client) {
    Waiters.Choice next;
    synchronized (this) {
      NotHeld.Cause not = notHeld(request.name(), request.owner());
      if (not != null) {
        return new NotHeld(not, nowMicros());
      }
      erase(request.name());
      if (request.yielding()) {
        waiters.served(request.name(), client);
      }
      next = waiters.choose(request.name(), nowMicros());
      if (request.yielding()) {
        waiters.enter(request.name(), client, "");
      }
    }
    next.wake().run();
    return new Released(nowMicros(), next.isOther(client));
  }

  /** Gives up a place of a fair line. */
  LeaveReply leave(String name, Waiters.Client client, String place) {
    if (waiters.leave(name, client, place)) {
      wakeOne(name);
    }
    return new Left(nowMicros());
  }

  /** A client does not listen any more. */
  void unwatch(String name, Waiters.Client client, Runnable wake) {
    if (waiters.unwatch(name, client, wake)) {
      wakeOne(name);
    }
  }

  /** A client is closed. */
  void gone(Waiters.Client client) {
    waiters.gone(client).forEach(this::wakeOne);
  }

  private void endLater(String name, Waiters.Turn turn) {
    ScheduledFuture<?> unused =
        TURNS.schedule(
            () -> {
              if (waiters.lapse(name, turn)) {
                wakeOne(name);
              }
            },
            FairLine.TURN_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Wakes the next, if the lock is free. */
  private void wakeOne(String name) {
    Waiters.Choice next;
    synchronized (this) {
      if (entry(name) != null) {
        return;
      }
      next = waiters.choose(name, nowMicros());
    }
    next.wake().run();
  }

  synchronized ExtendReply extend(ExtendRequest request) {
    long now = nowMicros();
    NotHeld.Cause not = notHeld(request.name(), request.owner());
    if (not != null) {
      return new NotHeld(not, now);
    }
    put(request.name(), new Entry(request.owner(), now + request.ttlMillis() * 1_000));
    return new Extended(now);
  }

  /** Lifts a fence; with {@link ToyGuard#OFF} whatever the guard says. */
  public synchronized RaiseReply raise(
      RaiseRequest request, Duration retention, long quarantineMillis) {
    long now = nowMicros();
    long guarded = guard.remainingMillis(quarantineMillis, now);
    if (guarded > 0) {
      return new Guarded(guarded, now);
    }
    long fence = fence(request.name());
    boolean mine = notHeld(request.name(), request.owner()) == null;
    if (mine && fence <= request.token() && request.token() <= now + REACH_MICROS) {
      fence(request.name(), request.token(), retention);
      return new Raised(now);
    }
    return new Refused(fence, now);
  }

  /** Hands a lock over; with {@link ToyGuard#OFF} whatever the guard says. */
  public TransferReply transfer(
      TransferRequest request, Waiters.Client client, Duration retention, long quarantineMillis) {
    TransferReply reply;
    synchronized (this) {
      long now = nowMicros();
      NotHeld.Cause not = notHeld(request.name(), request.from());
      if (not != null && notHeld(request.name(), request.to()) != null) {
        return new NotHeld(not, now);
      }
      long guarded = guard.remainingMillis(quarantineMillis, now);
      if (guarded == 0) {
        put(request.name(), new Entry(request.to(), now + request.ttlMillis() * 1_000));
        return granted(request.name(), request.proposal(), retention, client, now);
      }
      erase(request.name());
      reply = new Guarded(guarded, now);
    }
    wakeOne(request.name());
    return reply;
  }

  synchronized Inspection inspect(String name) {
    long now = nowMicros();
    Entry held = entry(name);
    Optional<Inspection.Holder> holder =
        held == null
            ? Optional.empty()
            : Optional.of(
                new Inspection.Holder(
                    held.owner,
                    held.endMicros == Entry.NEVER
                        ? Inspection.Holder.NO_EXPIRY
                        : remainingMillis(held, now)));
    return new Inspection(holder, fence(name), waiters.count(name), now);
  }

  ReleaseReply forceRelease(String name) {
    synchronized (this) {
      Entry held = entry(name);
      if (held == null) {
        return new NotHeld(NotHeld.Cause.ABSENT, nowMicros());
      }
      forced.put(name, held.owner);
      erase(name);
    }
    wakeOne(name);
    return new Released(nowMicros());
  }

  private NotHeld.@Nullable Cause notHeld(String name, String owner) {
    Entry held = entry(name);
    if (held != null && held.owner.equals(owner)) {
      return null;
    }
    if (owner.equals(forced.get(name))) {
      return NotHeld.Cause.FORCED;
    }
    return held == null ? NotHeld.Cause.ABSENT : NotHeld.Cause.TAKEN;
  }

  /** Rounded up: whoever asks again then must not come too early. */
  private static long remainingMillis(Entry held, long nowMicros) {
    return held.endMicros == Entry.NEVER
        ? Busy.UNKNOWN
        : (held.endMicros - nowMicros + 999) / 1_000;
  }
}
