package io.leasehold.campaign;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Servers of one kind, what can be done to them, and how they are brought back to health. One
 * thread of each track at a time.
 */
abstract class Topology implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(60);

  /** Where workers find the servers, through one driver, with these options. */
  abstract String url(String provider, String... options);

  /** What the nemesis may do, besides what it does to the workers. */
  abstract Set<FaultKind> faults();

  /** How often. */
  abstract Plan.Habits habits();

  /** How long a guarded server of this topology grants nothing after it may have lost leases. */
  abstract Duration quarantine();

  /** How long a call may wait for a lock that is free, long after the last fault. */
  Duration servedWithin() {
    return Duration.ofSeconds(12);
  }

  /** How many servers may be at fault with everything going on as usual. */
  int tolerated() {
    return 0;
  }

  /**
   * For how long nothing at all may be granted after any server lost its data; zero if others can.
   */
  Duration silence() {
    return Duration.ZERO;
  }

  /** All data servers. */
  abstract List<Seat> seats();

  /**
   * Aims a fault.
   *
   * @throws IllegalStateException when there is nobody to aim at, at the moment
   */
  abstract Attack aim(PlannedFault fault);

  /** Says of new servers that they are new. */
  abstract void vouch();

  /** Waits until all servers are what they should be, after each is up. */
  abstract void awaitWhole();

  /** Ends whatever a fault may have left, and waits until all servers work. */
  final void settle() throws InterruptedException {
    for (Seat seat : seats()) {
      Patience.retry("heal " + seat.name(), BOUND, () -> settle(seat));
    }
    awaitWhole();
  }

  private static void settle(Seat seat) {
    seat.proxy().ifPresent(proxy -> proxy.heal());
    RedisServer server = seat.server();
    if (!server.isAlive()) {
      server.restart(RedisServer.Data.KEPT);
    }
    server.resume();
    SeatFaults.normalMemory(server);
    server.command("CLIENT", "UNPAUSE");
  }

  @Override
  public abstract void close();

  /** Which server a fault is for, when they are all alike. */
  final Seat seat(PlannedFault fault) {
    return seats().get(fault.pick() / 7 % seats().size());
  }

  /** How many connections of clients with such a name the servers know. */
  final long connectionsNamed(String prefix) {
    long count = 0;
    for (Seat seat : seats()) {
      String all = String.valueOf(seat.server().command("CLIENT", "LIST"));
      count += all.lines().filter(line -> line.contains(" name=" + prefix)).count();
    }
    return count;
  }

  /** Vouches for what a URL names. */
  static void vouchFor(String url) {
    AtomicReference<LockNode> node = new AtomicReference<>();
    try (LockClient client =
        Locks.builder()
            .url(url)
            .option("commandTimeout", "10s")
            .option("connectTimeout", "20s")
            .discoverListeners(false)
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open()) {
      Optional<Vouching> vouching = Objects.requireNonNull(node.get()).offer(Vouching.class);
      VouchReply reply = vouching.orElseThrow().vouch().toCompletableFuture().join();
      if (!(reply instanceof Vouched)) {
        throw new IllegalStateException(client + " could not be vouched for: " + reply);
      }
    }
  }

  static String address(String provider, String scheme, String authority, String... options) {
    return "lock:"
        + provider
        + ":"
        + scheme
        + "://"
        + authority
        + (options.length == 0 ? "" : "?" + String.join("&", options));
  }
}
