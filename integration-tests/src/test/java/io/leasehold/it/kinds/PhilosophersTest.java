package io.leasehold.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Five clients around a table, each of which needs the two forks beside it: one takes them as left
 * and right, the next as right and left.
 */
class PhilosophersTest {
  private static final int SEATS = 5;
  private static final Duration OPENING = Duration.ofSeconds(30);

  @Test
  void everybodyEats() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      dine(Driver.LETTUCE.url(server), Duration.ofSeconds(4));
    }
  }

  @Test
  void everybodyEatsWhereForksLieOnSeveralServers() throws Exception {
    try (RedisCluster cluster = RedisCluster.builder().start()) {
      dine(Driver.JEDIS.url(cluster, "guard=off"), Duration.ofSeconds(4));
    }
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void everybodyEatsForAMinute(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      dine(driver.url(server), Duration.ofMinutes(1));
    }
  }

  @Test
  void everybodyEatsInMemory() throws Exception {
    dine("lock:mem://philosophers", Duration.ofSeconds(2));
  }

  private static void dine(String url, Duration span) throws Exception {
    AtomicIntegerArray forks = new AtomicIntegerArray(SEATS);
    AtomicIntegerArray meals = new AtomicIntegerArray(SEATS);
    // A driver's first client loads its classes: all sit down before anybody eats.
    CyclicBarrier seated = new CyclicBarrier(SEATS);
    List<CompletableFuture<Void>> table = new ArrayList<>();
    for (int seat = 0; seat < SEATS; seat++) {
      int here = seat;
      table.add(
          CompletableFuture.runAsync(
              () -> eat(url, here, forks, meals, seated, span), task -> new Thread(task).start()));
    }
    for (CompletableFuture<Void> philosopher : table) {
      join(philosopher, span);
    }
    int[] eaten = new int[SEATS];
    Arrays.setAll(eaten, meals::get);
    System.out.println(
        "Meals in " + span + " of " + url.replaceAll(":\\d+", "") + ": " + Arrays.toString(eaten));
    int all = Arrays.stream(eaten).sum();
    assertThat(Arrays.stream(eaten).min().orElseThrow()).isGreaterThan(all / SEATS / 10);
  }

  private static void join(CompletableFuture<Void> philosopher, Duration span)
      throws InterruptedException, ExecutionException, TimeoutException {
    philosopher.get(span.plus(OPENING).toSeconds() + 30, TimeUnit.SECONDS);
  }

  private static void eat(
      String url,
      int seat,
      AtomicIntegerArray forks,
      AtomicIntegerArray meals,
      CyclicBarrier seated,
      Duration span) {
    int next = (seat + 1) % SEATS;
    List<String> names = new ArrayList<>(List.of("fork " + seat, "fork " + next));
    if (seat % 2 == 1) {
      names = List.of(names.get(1), names.get(0));
    }
    try (LockClient client = Locks.open(url)) {
      seated.await(OPENING.toSeconds(), TimeUnit.SECONDS);
      long end = System.nanoTime() + span.toNanos();
      while (System.nanoTime() - end < 0) {
        Optional<Lease> both =
            client.all(names.toArray(new String[0])).tryAcquire(Duration.ofSeconds(20));
        try (Lease lease = both.orElseThrow()) {
          assertThat(forks.incrementAndGet(seat)).as("a fork in one hand").isEqualTo(1);
          assertThat(forks.incrementAndGet(next)).as("a fork in one hand").isEqualTo(1);
          meals.incrementAndGet(seat);
          assertThat(lease.isHeld()).isTrue();
          forks.decrementAndGet(seat);
          forks.decrementAndGet(next);
        }
      }
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
