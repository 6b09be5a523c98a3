package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
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

/** A history of clients, servers and a network, all of it out of one seed. */
final class RandomHistory {
  private static final int CLIENTS = 3;
  private static final long TTL_MILLIS = 2_000;
  private static final Duration LENGTH = Duration.ofSeconds(60);

  private record Claim(long token, long askedNanos, long fromNanos, long untilNanos) {}

  private final Random random;
  private final Simulation simulation;
  private final List<Claim> claims = new ArrayList<>();
  private final boolean handsOver;
  private long quarantineMicros = 11_000_000;
  private boolean sameOwners;
  private boolean elapsedIgnored;
  private long secondRounds;
  private long handOvers;

  RandomHistory(int servers, long seed) {
    this.random = new Random(seed * 7_919);
    this.handsOver = seed % 2 == 0; // clients that do contend less
    this.simulation = new Simulation(servers, seed);
  }

  Simulation simulation() {
    return simulation;
  }

  void replaceServers(BiFunction<String, VirtualTime, SimulatedServer> servers) {
    for (int i = 0; i < simulation.servers.size(); i++) {
      simulation.servers.set(i, servers.apply("server-" + i, simulation.time));
    }
  }

  void setQuarantineMicros(long value) {
    quarantineMicros = value;
  }

  void reuseOwners() {
    sameOwners = true;
  }

  void ignoreElapsedTime() {
    elapsedIgnored = true;
  }

  long grants() {
    return claims.size();
  }

  long handOvers() {
    return handOvers;
  }

  long secondRounds() {
    return secondRounds;
  }

  List<Long> tokens() {
    return claims.stream().map(Claim::token).toList();
  }

  void run() {
    for (SimulatedServer server : simulation.servers) {
      server.setClockAhead((random.nextInt(7) - 3) * 1_000_000L);
    }
    for (int i = 0; i < CLIENTS; i++) {
      Simulation.Client client = simulation.client();
      client.ways().forEach(way -> way.wire(new Weather(simulation.time, random)));
      new Contender(client, "client-" + i, (random.nextInt(9) - 4) * 1_500_000L).later();
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
    ordered.sort(Comparator.comparingLong(Claim::fromNanos));
    for (int i = 0; i < ordered.size(); i++) {
      Claim a = ordered.get(i);
      for (Claim b : ordered.subList(i + 1, ordered.size())) {
        if (b.fromNanos < a.untilNanos) {
          found.add("overlap: " + a + " " + b);
        }
        if (a.token == b.token || (a.fromNanos <= b.askedNanos && b.token <= a.token)) {
          found.add("token: " + a + " " + b);
        }
      }
    }
    return found;
  }

  /** A client that takes the lock, holds it for a while, and gives it back or forgets to. */
  private final class Contender {
    private final Simulation.Client client;
    private final String name;
    private final long clockAheadMicros;
    private long lastToken;

    Contender(Simulation.Client client, String name, long clockAheadMicros) {
      this.client = client;
      this.name = name;
      this.clockAheadMicros = clockAheadMicros;
    }

    void later() {
      simulation.time.schedule(this::ask, random.nextInt(40) * 1_000_000L);
    }

    private String nextOwner() {
      return sameOwners ? name : simulation.owner();
    }

    private long proposal() {
      long own = simulation.time.wallMillis() * 1_000 + clockAheadMicros;
      return Math.max(lastToken + 1, own);
    }

    private void ask() {
      String owner = nextOwner();
      GrantRequest request =
          new GrantRequest(
              LOCK, owner, TTL_MILLIS, proposal(), GrantRequest.NO_DEADLINE, Queueing.NONE);
      Validity validity = Validity.from(simulation.time, TTL_MILLIS);
      client.quorum().grant(request).thenAccept(reply -> answered(reply, owner, validity));
    }

    private void answered(Object reply, String owner, Validity asked) {
      long now = simulation.time.monotonicNanos();
      if (reply instanceof Granted granted) {
        Validity validity =
            elapsedIgnored ? Validity.from(simulation.time, TTL_MILLIS + 700) : asked;
        lastToken = granted.token();
        secondRounds += granted.rounds() > 1 ? 1 : 0;
        long left = validity.remainingNanos(simulation.time);
        long hold = random.nextInt(3) == 0 ? left : Math.min(left, random.nextInt(60) * 1_000_000L);
        long until = now + Math.max(0, hold);
        claims.add(new Claim(granted.token(), asked.sentNanos(), now, until));
        boolean crash = random.nextInt(6) == 0;
        simulation.time.schedule(() -> end(owner, crash), hold);
      } else {
        later();
      }
    }

    private void end(String owner, boolean crash) {
      if (!crash && handsOver && random.nextInt(3) > 0) {
        handOver(owner);
        return;
      }
      if (!crash) {
        client.quorum().release(new ReleaseRequest(LOCK, owner));
      }
      later();
    }

    /** To the next call of the same client. */
    private void handOver(String from) {
      String to = nextOwner();
      TransferRequest request = new TransferRequest(LOCK, from, to, TTL_MILLIS, proposal());
      Validity validity = Validity.from(simulation.time, TTL_MILLIS);
      client
          .quorum()
          .transfer(request)
          .thenAccept(
              reply -> {
                handOvers += reply instanceof Granted ? 1 : 0;
                answered(reply, to, validity);
              });
    }
  }
}
