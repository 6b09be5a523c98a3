package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.hygiene.JvmState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/**
 * The blocking driver, with one server that hangs while many threads lock: each of its requests
 * ties up a thread until it times out, and they must not pile up.
 */
class HungNodeTest {
  private static final int THREADS = 64;
  private static final int HUNG = 2;
  private static final Duration FOR = Duration.ofSeconds(2);

  /** For one node: two pools of sixteen, one of the quorum and one of the driver's, a listener. */
  private static final int THREADS_OF_A_NODE = 34;

  /** For one node: as many as its threads use at the same time, and some that are being closed. */
  private static final int CONNECTIONS_OF_A_NODE = 40;

  private final AtomicIntegerArray cycles = new AtomicIntegerArray(THREADS);
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  @Test
  void threadsAndConnectionsStayBoundedAndWorkGoesOn() throws InterruptedException {
    try (QuorumServers servers = QuorumServers.behindProxies(5).vouched();
        LockClient client =
            Locks.open(servers.url(Driver.JEDIS, "maxLease=30s", "commandTimeout=1s"))) {
      int healthy = contend(client, servers, "healthy");
      servers.blackHole(HUNG);
      int hung = contend(client, servers, "one hung");
      System.out.printf(
          "64 threads, %d s: %d cycles with five servers, %d with one of them hung%n",
          FOR.toSeconds(), healthy, hung);
      assertThat(hung).as("throughput goes on").isGreaterThan(healthy / 4);
      servers.healWithLosses(HUNG);
    }
  }

  private int contend(LockClient client, QuorumServers servers, String when)
      throws InterruptedException {
    for (int i = 0; i < THREADS; i++) {
      cycles.set(i, 0);
    }
    List<String> mostThreads = List.of();
    long mostConnections = 0;
    long end = System.nanoTime() + FOR.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> cycle(client, servers, number, end), "locking-" + i);
      thread.start();
      threads.add(thread);
    }
    while (System.nanoTime() < end) {
      for (int node = 0; node < servers.size(); node++) {
        List<String> now = threadsOf(servers.address(node));
        mostThreads = now.size() > mostThreads.size() ? now : mostThreads;
        mostConnections =
            Math.max(mostConnections, JvmState.connectionsTo(servers.proxy(node).port()));
      }
      TimeUnit.MILLISECONDS.sleep(20); // the pace of looking, not a wait for anything
    }
    for (Thread thread : threads) {
      thread.join(10_000);
      assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }
    System.out.printf(
        "%s: at most %d threads and %d connections for one node%n",
        when, mostThreads.size(), mostConnections);
    assertThat(refusals).as(when).isEmpty();
    assertThat(mostThreads).as(when).hasSizeLessThanOrEqualTo(THREADS_OF_A_NODE);
    assertThat(mostConnections).as(when).isLessThanOrEqualTo(CONNECTIONS_OF_A_NODE);
    int all = 0;
    for (int i = 0; i < THREADS; i++) {
      assertThat(cycles.get(i)).as(when + ": cycles of thread " + i).isPositive();
      all += cycles.get(i);
    }
    return all;
  }

  private void cycle(LockClient client, QuorumServers servers, int number, long end) {
    DistributedLock lock = client.lock("name-" + number);
    while (System.nanoTime() < end) {
      try {
        lock.acquire(Duration.ofSeconds(5)).close();
        cycles.incrementAndGet(number);
      } catch (LockException e) {
        refusals.add(e.getMessage() + "; held on " + servers.holding(lock.name()));
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** By name, and platform threads only: virtual ones cost nothing. */
  private static List<String> threadsOf(String address) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(address))
        .toList();
  }
}
