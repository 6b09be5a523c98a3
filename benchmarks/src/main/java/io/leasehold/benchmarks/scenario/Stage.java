package io.leasehold.benchmarks.scenario;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Ours;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.measure.ServerCounters;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Vouching;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The servers of a run: one alone, and five that form a quorum, none of which writes to a disk;
 * each also at the far end of a wire. And a process for each contestant. They end with the JVM,
 * however that ends.
 */
public final class Stage implements AutoCloseable {
  /** In each direction; so a round trip takes 1 ms longer. */
  private static final Duration ONE_WAY = Duration.ofNanos(500_000);

  private static final int QUORUM = 5;

  private final RedisServer single;
  private final List<RedisServer> quorum = new ArrayList<>();
  private final List<FaultyProxy> proxies = new ArrayList<>();
  private final Map<Contestant, Crew> processes = new EnumMap<>(Contestant.class);

  /** Starts the servers. */
  public Stage() {
    single = server();
    try {
      for (int i = 0; i < QUORUM; i++) {
        RedisServer node = server();
        quorum.add(node);
        vouch(node);
      }
      behindWire(single);
      quorum.forEach(this::behindWire);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** A server of somebody's own, who closes it. */
  static RedisServer server() {
    return RedisServer.builder().args("--appendonly", "no", "--save", "").start();
  }

  private void behindWire(RedisServer server) {
    FaultyProxy proxy = FaultyProxy.to(server);
    proxy.delay(ONE_WAY);
    proxies.add(proxy);
  }

  /** A quorum grants nothing for a while on servers that nobody knows to be new. */
  private static void vouch(RedisServer server) {
    AtomicReference<LockNode> node = new AtomicReference<>();
    LockClient client =
        Locks.builder()
            .url(Ours.url("jedis", server.port()) + "?guard=on&commandTimeout=5s")
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open();
    try {
      Objects.requireNonNull(node.get())
          .offer(Vouching.class)
          .orElseThrow()
          .vouch()
          .toCompletableFuture()
          .join();
    } finally {
      client.close();
    }
  }

  /** Where clients find the servers. */
  public Place place(boolean wire) {
    List<Integer> ports = new ArrayList<>();
    if (wire) {
      proxies.forEach(proxy -> ports.add(proxy.port()));
    } else {
      ports.add(single.port());
      quorum.forEach(server -> ports.add(server.port()));
    }
    return new Place(ports.get(0), ports.subList(1, ports.size()));
  }

  /**
   * The process of a contestant, from its first scenario to the last. In an application there is
   * one of them: what the JVM learned from the others would make each of them slower.
   */
  Crew processOf(Contestant who) throws IOException {
    Crew process = processes.get(who);
    if (process == null) {
      process = new Crew(1);
      processes.put(who, process);
    }
    return process;
  }

  /** What the servers of a contestant have done so far. */
  public ServerCounters counters(Contestant who) {
    return ServerCounters.read(who.quorum() ? quorum : List.of(single));
  }

  /** What the servers say they are. */
  public String redisVersion() {
    return single.info("server").getOrDefault("redis_version", "unknown");
  }

  @Override
  public void close() {
    processes.values().forEach(Crew::close);
    proxies.forEach(FaultyProxy::close);
    quorum.forEach(RedisServer::close);
    single.close();
  }
}
