package io.leasehold.provider.redlock;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Servers, and clients of them, in virtual time. */
final class Simulation {
  static final String LOCK = "lock";
  static final Duration NODE_TIMEOUT = Duration.ofMillis(200);
  static final Duration REQUEST_TIMEOUT = Duration.ofMillis(500);
  static final long TTL_MILLIS = 10_000;

  final VirtualTime time = new VirtualTime();
  final List<SimulatedServer> servers = new ArrayList<>();
  private final Random random;
  private int quorum;
  private int owners;

  Simulation(int size) {
    this(size, 1);
  }

  Simulation(int size, long seed) {
    random = new Random(seed);
    quorum = Members.majorityOf(size);
    for (int i = 0; i < size; i++) {
      servers.add(new SimulatedServer("server-" + i, time));
    }
  }

  /** Clients that are content with fewer, or want more. */
  void setQuorum(int value) {
    quorum = value;
  }

  /** One client: a quorum, and its ways to the servers. */
  record Client(QuorumNode quorum, List<SimulatedNode> ways) {

    SimulatedNode way(int server) {
      return ways.get(server);
    }
  }

  /** A client that has met all servers. */
  Client client() {
    Client client = unconnected();
    client.quorum.connect(false);
    return client;
  }

  Client unconnected() {
    List<SimulatedNode> ways = new ArrayList<>();
    for (SimulatedServer server : servers) {
      ways.add(new SimulatedNode("node-" + ways.size(), server));
    }
    List<LockNode> nodes = List.copyOf(ways);
    return new Client(new QuorumNode(nodes, quorum, times(), context()), ways);
  }

  static QuorumTimes times() {
    return new QuorumTimes(
        NODE_TIMEOUT.toNanos(),
        REQUEST_TIMEOUT.toNanos(),
        Duration.ofMillis(100).toNanos(),
        Duration.ofSeconds(60).toNanos());
  }

  String owner() {
    return "owner-" + ++owners;
  }

  /** A request that proposes the right time. */
  GrantRequest request(String owner) {
    return request(owner, TTL_MILLIS);
  }

  GrantRequest request(String owner, long ttlMillis) {
    long now = time.wallMillis() * 1_000;
    return new GrantRequest(
        LOCK, owner, ttlMillis, now, now + REQUEST_TIMEOUT.toNanos() / 1_000, Queueing.NONE);
  }

  /** The reply to a grant that is answered without time passing. */
  GrantReply grant(Client client, String owner) {
    return now(client.quorum.grant(request(owner)));
  }

  /** The reply, which must be there. */
  static <R> R now(CompletionStage<R> stage) {
    return reply(stage).orElseThrow(() -> new AssertionError("no reply yet"));
  }

  /** The reply, if it is there. */
  static <R> Optional<R> reply(CompletionStage<R> stage) {
    return Optional.ofNullable(stage.toCompletableFuture().getNow(null));
  }

  /** On how many servers an owner holds the lock. */
  long held(String owner) {
    return servers.stream().filter(s -> s.owner(LOCK).equals(Optional.of(owner))).count();
  }

  ProviderContext context() {
    return context(LockProviders.of());
  }

  ProviderContext context(LockProviders providers) {
    return new ProviderContext() {
      @Override
      public LockProviders providers() {
        return providers;
      }

      @Override
      public Executor newBlockingExecutor(String label) {
        return Runnable::run;
      }

      @Override
      public Scheduler scheduler() {
        return time;
      }

      @Override
      public TimeSource time() {
        return time;
      }

      @Override
      public RandomGenerator random() {
        return random;
      }

      @Override
      public String clientId() {
        return "client";
      }
    };
  }
}
