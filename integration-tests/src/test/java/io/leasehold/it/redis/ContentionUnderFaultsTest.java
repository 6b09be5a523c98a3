package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Several clients fight for one lock while connections are cut, scripts are flushed and the server
 * is stopped for moments: never two valid leases, and tokens grow in the order of grants.
 */
@ParameterizedClass
@EachDriver
class ContentionUnderFaultsTest {
  @Parameter Driver driver = Driver.LETTUCE;

  private static final int CLIENTS = 6;

  private final AtomicReference<Lease> holder = new AtomicReference<>();
  private final AtomicLong highestToken = new AtomicLong();
  private final AtomicInteger grants = new AtomicInteger();
  private final AtomicInteger losses = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  @Test
  void neverTwoHoldersForAWhile() throws InterruptedException {
    run(Duration.ofSeconds(6), 20_261_116L);
  }

  @Test
  @Tag("full")
  void neverTwoHoldersForLong() throws InterruptedException {
    run(Duration.ofSeconds(120), System.nanoTime());
  }

  private void run(Duration howLong, long seed) throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server)) {
      List<LockClient> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Locks.open(driver.at(proxy.port())));
      }
      long end = System.nanoTime() + howLong.toNanos(); // opening may take a while
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        LockClient client = clients.get(i);
        Random random = new Random(seed + i);
        Thread thread = new Thread(() -> contend(client, random, end), "contender-" + i);
        thread.start();
        threads.add(thread);
      }
      trouble(server, proxy, new Random(seed), end);
      for (Thread thread : threads) {
        thread.join(30_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
      clients.forEach(LockClient::close);
      assertThat(server.command("EXISTS", "contended")).as("nothing is left held").isEqualTo(0L);
    }
    assertThat(violations).as("seed " + seed).isEmpty();
    assertThat(grants.get()).as("grants").isGreaterThan(50);
    System.out.printf(
        "%d grants, %d losses, %d refusals, seed %d%n",
        grants.get(), losses.get(), refusals.get(), seed);
  }

  private void contend(LockClient client, Random random, long end) {
    LockOptions options = LockOptions.defaults().withLeaseTime(Duration.ofMillis(800));
    while (System.nanoTime() < end) {
      try (Lease lease =
          client
              .lock("contended", options)
              .acquire(Duration.ofMillis(200 + random.nextInt(2_000)))) {
        hold(lease, random);
      } catch (LockException e) {
        refusals.incrementAndGet(); // busy or unavailable: part of the game
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** The claim runs from the return of acquire until release, or until the validity ends. */
  private void hold(Lease lease, Random random) {
    grants.incrementAndGet();
    Lease before = holder.getAndSet(lease);
    if (before != null && before.isHeld() && lease.isHeld()) {
      violations.add(before.fencingToken() + " and " + lease.fencingToken() + " are both held");
    }
    long highest = highestToken.getAndAccumulate(lease.fencingToken(), Math::max);
    if (highest >= lease.fencingToken()) {
      violations.add(lease.fencingToken() + " came after " + highest);
    }
    LockSupport.parkNanos(random.nextInt(20_000_000));
    if (!lease.isHeld()) {
      losses.incrementAndGet();
    }
    holder.compareAndSet(lease, null);
  }

  private static void trouble(RedisServer server, FaultyProxy proxy, Random random, long end) {
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(50_000_000 + random.nextInt(300_000_000));
      switch (random.nextInt(5)) {
        case 0 -> proxy.cut(Cut.RST);
        case 1 -> proxy.cut(Cut.FIN);
        case 2 -> server.command("SCRIPT", "FLUSH");
        case 3 -> server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        default -> {
          server.pause();
          LockSupport.parkNanos(random.nextInt(1_200_000_000)); // at times longer than a lease
          server.resume();
        }
      }
    }
  }
}
