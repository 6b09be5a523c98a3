package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Validity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/** A history of readers and writers of one lock, servers and a network, all of it from one seed. */
final class RandomSharing {
  private static final int CLIENTS = 4;
  private static final long TTL_MILLIS = 2_000;
  private static final Duration LENGTH = Duration.ofSeconds(60);

  /** What somebody believes to have had. */
  static final class Claim {
    final boolean writes;
    final long token;
    final long fromNanos;
    long untilNanos;

    Claim(boolean writes, long token, long fromNanos, long untilNanos) {
      this.writes = writes;
      this.token = token;
      this.fromNanos = fromNanos;
      this.untilNanos = untilNanos;
    }

    boolean overlaps(long from, long until) {
      return fromNanos < until && from < untilNanos;
    }

    @Override
    public String toString() {
      return (writes ? "W " : "R ") + token + " " + fromNanos / 1_000 + "-" + untilNanos / 1_000;
    }
  }

  private record Downgrade(Claim writer, Claim reader) {}

  private final Random random;
  private final Simulation simulation;
  private final List<Claim> claims = new ArrayList<>();
  private final List<Downgrade> downgrades = new ArrayList<>();
  private final int shareOfWriters;
  private long quarantineMicros = 11_000_000;
  private int readersQuorum;
  private boolean inTwoSteps;
  private long secondRounds;
  private long extensions;
  private long together;

  RandomSharing(int servers, long seed) {
    this.random = new Random(seed * 104_729);
    this.simulation = new Simulation(servers, seed);
    this.shareOfWriters = 3 + (int) (seed % 5); // of eight
    this.readersQuorum = Members.majorityOf(servers);
  }

  void replaceServer(int server, BiFunction<String, VirtualTime, SimulatedServer> by) {
    simulation.servers.set(server, by.apply("server-" + server, simulation.time));
  }

  void replaceServers(BiFunction<String, VirtualTime, SimulatedServer> by) {
    for (int i = 0; i < simulation.servers.size(); i++) {
      replaceServer(i, by);
    }
  }

  void setQuarantineMicros(long value) {
    quarantineMicros = value;
  }

  void setReadersQuorum(int value) {
    readersQuorum = value;
  }

  void downgradeInTwoSteps() {
    inTwoSteps = true;
  }

  long writes() {
    return claims.stream().filter(claim -> claim.writes).count();
  }

  long reads() {
    return claims.size() - writes();
  }

  long downgrades() {
    return downgrades.size();
  }

  long extensions() {
    return extensions;
  }

  long secondRounds() {
    return secondRounds;
  }

  /** How often a reader came to another one. */
  long together() {
    return together;
  }

  void run() {
    for (SimulatedServer server : simulation.servers) {
      server.setClockAhead((random.nextInt(7) - 3) * 1_000_000L);
    }
    for (int i = 0; i < CLIENTS; i++) {
      Simulation.Client client = simulation.client();
      LockNode readers = client.quorum().readers();
      if (readersQuorum != Members.majorityOf(simulation.servers.size())) {
        simulation.setQuorum(readersQuorum);
        Simulation.Client other = simulation.client();
        simulation.setQuorum(Members.majorityOf(simulation.servers.size()));
        readers = other.quorum().readers();
        other.ways().forEach(way -> way.wire(new Weather(simulation.time, random)));
      }
      client.ways().forEach(way -> way.wire(new Weather(simulation.time, random)));
      long ahead = (random.nextInt(9) - 4) * 1_500_000L;
      new Contender(readers, client.quorum().writers(), ahead).later();
    }
    simulation.time.schedule(this::restartOne, 8_000_000_000L);
    simulation.time.advance(LENGTH);
  }

  /** One server at a time comes back empty, and only when the last one is out of quarantine. */
  private void restartOne() {
    simulation
        .servers
        .get(random.nextInt(simulation.servers.size()))
        .restartEmpty(quarantineMicros);
    simulation.time.schedule(this::restartOne, 13_000_000_000L);
  }

  List<String> violations() {
    List<String> found = new ArrayList<>();
    List<Claim> ordered = new ArrayList<>(claims);
    ordered.sort(Comparator.comparingLong(claim -> claim.fromNanos));
    for (int i = 0; i < ordered.size(); i++) {
      Claim a = ordered.get(i);
      for (Claim b : ordered.subList(i + 1, ordered.size())) {
        if ((a.writes || b.writes) && a.overlaps(b.fromNanos, b.untilNanos)) {
          found.add("overlap: " + a + ", " + b);
        }
        if ((a.writes || b.writes) && b.token <= a.token) {
          found.add("token: " + a + ", " + b);
        }
      }
    }
    for (Downgrade each : downgrades) {
      for (Claim other : claims) {
        if (other.writes
            && other != each.writer
            && other.overlaps(each.writer.fromNanos, each.reader.fromNanos + 1)) {
          found.add("gap: " + each + ", " + other);
        }
      }
    }
    return found;
  }

  /** One who reads or writes for a while, and gives that back or forgets to. */
  private final class Contender {
    private final LockNode readers;
    private final LockNode writers;
    private final long clockAheadMicros;
    private long lastToken;

    Contender(LockNode readers, LockNode writers, long clockAheadMicros) {
      this.readers = readers;
      this.writers = writers;
      this.clockAheadMicros = clockAheadMicros;
    }

    void later() {
      simulation.time.schedule(this::ask, random.nextInt(40) * 1_000_000L);
    }

    private LockNode side(boolean writing) {
      return writing ? writers : readers;
    }

    private GrantRequest request(String owner, Queueing queueing) {
      return new GrantRequest(
          LOCK, owner, TTL_MILLIS, proposal(), GrantRequest.NO_DEADLINE, queueing);
    }

    private long proposal() {
      return Math.max(lastToken + 1, simulation.time.wallMillis() * 1_000 + clockAheadMicros);
    }

    private void ask() {
      boolean writing = random.nextInt(8) < shareOfWriters;
      String owner = simulation.owner();
      Validity validity = Validity.from(simulation.time, TTL_MILLIS);
      Queueing queueing = random.nextInt(12) == 0 ? Queueing.WAKE : Queueing.NONE;
      side(writing)
          .grant(request(owner, queueing))
          .thenAccept(
              reply -> {
                if (reply instanceof Granted granted) {
                  hold(claim(writing, granted, validity), owner, validity);
                } else {
                  later();
                }
              });
    }

    private Claim claim(boolean writing, Granted granted, Validity validity) {
      long now = simulation.time.monotonicNanos();
      lastToken = Math.max(lastToken, granted.token());
      secondRounds += granted.rounds() > 1 ? 1 : 0;
      together +=
          claims.stream().anyMatch(other -> !writing && other.overlaps(now, now + 1)) ? 1 : 0;
      long left = Math.max(0, validity.remainingNanos(simulation.time));
      long hold = random.nextInt(8) == 0 ? left : Math.min(left, random.nextInt(60) * 1_000_000L);
      Claim claim = new Claim(writing, granted.token(), now, now + hold);
      claims.add(claim);
      return claim;
    }

    private void hold(Claim claim, String owner, Validity validity) {
      simulation.time.schedule(
          () -> end(claim, owner, validity), claim.untilNanos - simulation.time.monotonicNanos());
    }

    private void end(Claim claim, String owner, Validity validity) {
      int choice = random.nextInt(9);
      if (choice == 0) {
        later(); // it has crashed
      } else if (choice == 1) {
        extend(claim, owner, validity);
      } else if (choice < 8 && claim.writes) {
        downgrade(claim, owner);
      } else {
        side(claim.writes).release(new ReleaseRequest(LOCK, owner));
        later();
      }
    }

    /** Counts only if the answer comes while the lease lasts; then nothing was in between. */
    private void extend(Claim claim, String owner, Validity old) {
      Validity validity = Validity.from(simulation.time, TTL_MILLIS);
      side(claim.writes)
          .extend(List.of(new ExtendRequest(LOCK, owner, TTL_MILLIS)))
          .thenAccept(replies -> extended(replies.get(0), claim, owner, old, validity));
    }

    private void extended(
        ExtendReply reply, Claim claim, String owner, Validity old, Validity validity) {
      if (reply instanceof Extended && old.remainingNanos(simulation.time) > 0) {
        extensions++;
        long left = validity.remainingNanos(simulation.time);
        claim.untilNanos = simulation.time.monotonicNanos() + left;
        hold(claim, owner, validity);
      } else {
        side(claim.writes).release(new ReleaseRequest(LOCK, owner));
        later();
      }
    }

    private void downgrade(Claim writer, String from) {
      String to = simulation.owner();
      Validity validity = Validity.from(simulation.time, TTL_MILLIS);
      if (inTwoSteps) {
        writers
            .release(new ReleaseRequest(LOCK, from))
            .thenCompose(released -> readers.grant(request(to, Queueing.NONE)))
            .thenAccept(reply -> downgraded(reply, writer, to, validity));
      } else {
        TransferRequest request = new TransferRequest(LOCK, from, to, TTL_MILLIS, proposal());
        readers.transfer(request).thenAccept(reply -> downgraded(reply, writer, to, validity));
      }
    }

    private void downgraded(Object reply, Claim writer, String owner, Validity validity) {
      if (reply instanceof Granted granted) {
        Claim reader = claim(false, granted, validity);
        downgrades.add(new Downgrade(writer, reader));
        hold(reader, owner, validity);
      } else {
        later();
      }
    }
  }
}
