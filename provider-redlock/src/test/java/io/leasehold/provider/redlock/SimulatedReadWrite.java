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
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The read-write locks of a server, as the contract wants them. */
class SimulatedReadWrite {
  private static final long WRITER_WAITS_MICROS = ReadWriteLocks.WRITER_WAITS_MILLIS * 1_000;

  private static final class Lock {
    final Map<String, Long> readers = new TreeMap<>();
    final Map<String, Long> writers = new TreeMap<>(); // one at most
    long fence;
    long fenceOfWriters;
    long writerWaitsUntil;
  }

  private final SimulatedServer server;
  private final Map<String, Lock> locks = new HashMap<>();

  SimulatedReadWrite(SimulatedServer server) {
    this.server = server;
  }

  final SimulatedLocks readers() {
    return new OneSide(true);
  }

  final SimulatedLocks writers() {
    return new OneSide(false);
  }

  final void forget() {
    locks.clear();
  }

  /** Who reads here now. */
  final Set<String> readersOf(String name) {
    return Set.copyOf(live(name).readers.keySet());
  }

  /** Who writes here now. */
  final Optional<String> writerOf(String name) {
    return live(name).writers.keySet().stream().findFirst();
  }

  final long fence(String name) {
    return live(name).fence;
  }

  /** Whether a writer is kept out by who reads. */
  boolean seesReaders() {
    return true;
  }

  /** Whether a reader's grant lifts the fence. */
  boolean readersLiftTheFence() {
    return true;
  }

  /** Without what has ended. */
  private Lock live(String name) {
    Lock lock = locks.computeIfAbsent(name, n -> new Lock());
    lock.readers.values().removeIf(end -> end <= server.now());
    lock.writers.values().removeIf(end -> end <= server.now());
    return lock;
  }

  private final class OneSide implements SimulatedLocks {
    private final boolean reading;

    OneSide(boolean reading) {
      this.reading = reading;
    }

    private Map<String, Long> holders(Lock lock) {
      return reading ? lock.readers : lock.writers;
    }

    @Override
    public GrantReply grant(GrantRequest request) {
      long now = server.now();
      if (now > request.notAfter()) {
        return new Expired(now);
      }
      Optional<Guarded> guarded = server.guarded();
      if (guarded.isPresent()) {
        return guarded.get();
      }
      Lock lock = live(request.name());
      List<Long> inTheWay = new ArrayList<>();
      lock.writers.forEach((owner, end) -> addUnless(owner, request.owner(), end, inTheWay));
      if (reading && !lock.readers.containsKey(request.owner()) && lock.writerWaitsUntil > now) {
        inTheWay.add(lock.writerWaitsUntil);
      }
      if (!reading && seesReaders()) {
        lock.readers.forEach((owner, end) -> addUnless(owner, request.owner(), end, inTheWay));
      }
      if (inTheWay.isEmpty()) {
        lock.writerWaitsUntil = reading ? lock.writerWaitsUntil : 0;
        return take(lock, request.owner(), request.ttlMillis(), request.proposal());
      }
      long end = inTheWay.stream().mapToLong(Long::longValue).max().orElseThrow();
      if (!reading && request.queueing() == Queueing.WAKE) {
        lock.writerWaitsUntil = now + WRITER_WAITS_MICROS;
        end = Math.min(end, now + WRITER_WAITS_MICROS / 2);
      }
      return new Busy((end - now) / 1_000, now);
    }

    private void addUnless(String owner, String asking, long end, List<Long> to) {
      if (!owner.equals(asking)) {
        to.add(end);
      }
    }

    private Granted take(Lock lock, String owner, long ttlMillis, long proposal) {
      long token = server.token(lock.fence, proposal);
      holders(lock).put(owner, server.now() + ttlMillis * 1_000);
      if (!reading || readersLiftTheFence()) {
        lock.fence = token;
      }
      lock.fenceOfWriters = reading ? lock.fenceOfWriters : token;
      return new Granted(token, server.now());
    }

    @Override
    public RaiseReply raise(RaiseRequest request) {
      Optional<Guarded> guarded = server.guarded();
      if (guarded.isPresent()) {
        return guarded.get();
      }
      Lock lock = live(request.name());
      long token = request.token();
      boolean fits =
          Math.abs(token - server.now()) < SimulatedServer.SPAN_MICROS
              && (reading ? token > lock.fenceOfWriters : token >= lock.fence);
      if (!holders(lock).containsKey(request.owner()) || !fits) {
        return new Refused(lock.fence, server.now());
      }
      lock.fence = Math.max(lock.fence, token);
      lock.fenceOfWriters = reading ? lock.fenceOfWriters : token;
      return new Raised(server.now());
    }

    @Override
    public ReleaseReply release(String name, String owner) {
      Lock lock = live(name);
      if (holders(lock).remove(owner) == null) {
        return notHeld(lock);
      }
      lock.writerWaitsUntil = reading ? lock.writerWaitsUntil : 0;
      return new Released(server.now());
    }

    @Override
    public ExtendReply extend(ExtendRequest request) {
      Lock lock = live(request.name());
      long end = server.now() + request.ttlMillis() * 1_000;
      return holders(lock).replace(request.owner(), end) == null
          ? notHeld(lock)
          : new Extended(server.now());
    }

    @Override
    public TransferReply transfer(TransferRequest request) {
      Lock lock = live(request.name());
      boolean from = lock.writers.containsKey(request.from());
      boolean replayed = holders(lock).containsKey(request.to());
      if (!from && !replayed) {
        return notHeld(lock);
      }
      lock.writers.remove(request.from());
      Optional<Guarded> guarded = server.guarded();
      return guarded.isPresent()
          ? guarded.get()
          : take(lock, request.to(), request.ttlMillis(), request.proposal());
    }

    @Override
    public Inspection inspect(String name) {
      Lock lock = live(name);
      List<Inspection.Holder> holders = new ArrayList<>();
      for (Map<String, Long> those : List.of(lock.writers, lock.readers)) {
        those.forEach(
            (owner, end) ->
                holders.add(new Inspection.Holder(owner, (end - server.now()) / 1_000)));
      }
      return new Inspection(holders, lock.fence, 0, server.now());
    }

    private NotHeld notHeld(Lock lock) {
      return new NotHeld(
          lock.writers.isEmpty() && lock.readers.isEmpty()
              ? NotHeld.Cause.ABSENT
              : NotHeld.Cause.TAKEN,
          server.now());
    }
  }
}
