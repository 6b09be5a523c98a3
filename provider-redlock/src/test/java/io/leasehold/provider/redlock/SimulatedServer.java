package io.leasehold.provider.redlock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Identity;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server as the fencing algorithm wants it, with a clock of its own that may be wrong. */
class SimulatedServer implements SimulatedLocks {
  static final long SPAN_MICROS = 5_000_000;

  private record Held(String owner, long endMicros) {}

  private final VirtualTime time;
  private final Map<String, Held> locks = new HashMap<>();
  private final Map<String, Long> fences = new HashMap<>();
  private final SimulatedReadWrite readWrite = newReadWrite();
  private String id;
  private int lives = 1;
  private long clockOffsetMicros;
  private long guardedUntil;
  Identity.Role role = Identity.Role.PRIMARY;

  SimulatedServer(String id, VirtualTime time) {
    this.id = id;
    this.time = time;
  }

  /** Its read-write locks; made once. */
  SimulatedReadWrite newReadWrite() {
    return new SimulatedReadWrite(this);
  }

  final SimulatedReadWrite readWrite() {
    return readWrite;
  }

  /** The server's own clock. */
  long now() {
    return time.wallMillis() * 1_000 + clockOffsetMicros;
  }

  void setClockAhead(long micros) {
    clockOffsetMicros = micros;
  }

  /** It is really another server, under its address. */
  void become(SimulatedServer other) {
    id = other.id;
  }

  /** It comes back with nothing, and gives no vote for a while. */
  void restartEmpty(long quarantineMicros) {
    locks.clear();
    fences.clear();
    readWrite.forget();
    id = id.replaceAll("/.*", "") + "/" + ++lives;
    guardedUntil = now() + quarantineMicros;
  }

  long fence(String name) {
    return fences.getOrDefault(name, 0L);
  }

  void setFence(String name, long fence) {
    fences.put(name, fence);
  }

  /** Somebody else takes the lock here. */
  void occupy(String name, long millis) {
    locks.put(name, new Held("somebody", now() + millis * 1_000));
  }

  void drop(String name) {
    locks.remove(name);
  }

  /** Whoever holds the lock here now. */
  Optional<String> owner(String name) {
    return Optional.ofNullable(live(name)).map(Held::owner);
  }

  Identity identity() {
    return new Identity(id, role, now());
  }

  /** The answer while it is in quarantine. */
  final Optional<Guarded> guarded() {
    return now() < guardedUntil
        ? Optional.of(new Guarded((guardedUntil - now()) / 1_000, now()))
        : Optional.empty();
  }

  /** The plain locks that are held here. */
  List<String> held() {
    return locks.keySet().stream().filter(name -> live(name) != null).sorted().toList();
  }

  @Override
  public GrantReply grant(GrantRequest request) {
    if (now() > request.notAfter()) {
      return new Expired(now());
    }
    if (now() < guardedUntil) {
      return new Guarded((guardedUntil - now()) / 1_000, now());
    }
    Held held = live(request.name());
    if (held != null && !held.owner.equals(request.owner())) {
      return new Busy((held.endMicros - now()) / 1_000, now());
    }
    return take(request.name(), request.owner(), request.ttlMillis(), request.proposal());
  }

  private Granted take(String name, String owner, long ttlMillis, long proposal) {
    long token = token(fence(name), proposal);
    fences.put(name, token);
    locks.put(name, new Held(owner, now() + ttlMillis * 1_000));
    return new Granted(token, now());
  }

  /** The number that a grant lifts the fence to. */
  long token(long fence, long proposal) {
    long floor = floor(fence);
    return floor < proposal && proposal <= now() + SPAN_MICROS ? proposal : floor + 1;
  }

  /** What the next number is above. */
  private long floor(long fence) {
    return Math.max(fence, now() - SPAN_MICROS);
  }

  @Override
  public RaiseReply raise(RaiseRequest request) {
    if (now() < guardedUntil) {
      return new Guarded((guardedUntil - now()) / 1_000, now());
    }
    Held held = live(request.name());
    boolean fits =
        fence(request.name()) <= request.token()
            && request.token() > now() - SPAN_MICROS
            && request.token() <= now() + SPAN_MICROS;
    if (held == null || !held.owner.equals(request.owner()) || !fits) {
      return new Refused(fence(request.name()), now());
    }
    fences.put(request.name(), request.token());
    return new Raised(now());
  }

  @Override
  public ReleaseReply release(String name, String owner) {
    Held held = live(name);
    if (held == null || !held.owner.equals(owner)) {
      return notHeld(held);
    }
    locks.remove(name);
    return new Released(now());
  }

  @Override
  public ExtendReply extend(ExtendRequest request) {
    Held held = live(request.name());
    if (held == null || !held.owner.equals(request.owner())) {
      return notHeld(held);
    }
    locks.put(request.name(), new Held(held.owner, now() + request.ttlMillis() * 1_000));
    return new Extended(now());
  }

  @Override
  public TransferReply transfer(TransferRequest request) {
    Held held = live(request.name());
    if (held == null || !(held.owner.equals(request.from()) || held.owner.equals(request.to()))) {
      return notHeld(held);
    }
    if (now() < guardedUntil) {
      locks.remove(request.name());
      return new Guarded((guardedUntil - now()) / 1_000, now());
    }
    return take(request.name(), request.to(), request.ttlMillis(), request.proposal());
  }

  @Override
  public Inspection inspect(String name) {
    Held held = live(name);
    return new Inspection(
        Optional.ofNullable(held)
            .map(h -> new Inspection.Holder(h.owner, (h.endMicros - now()) / 1_000)),
        fence(name),
        0,
        now());
  }

  private NotHeld notHeld(@Nullable Held held) {
    return new NotHeld(held == null ? NotHeld.Cause.ABSENT : NotHeld.Cause.TAKEN, now());
  }

  private @Nullable Held live(String name) {
    Held held = locks.get(name);
    return held == null || held.endMicros <= now() ? null : held;
  }
}
