package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.Locks;
import io.leasehold.spi.Capability;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An asynchronous call ends with its time, whatever other calls of its client do meanwhile. */
class AsyncDeadlineTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.full") ? 100_000 : 2_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /**
   * A call joins the line at the moment when the one in front of it leaves, so that it is in front
   * itself before it has looked. The lock is busy, and its holder's end would wake the line: a call
   * without a timer of its own would ask again after 15 s at the earliest.
   */
  @Test
  void aCallThatJoinsWhileTheFrontOfTheLineLeavesEndsInTime() throws Exception {
    ScriptedNode node = new ScriptedNode(TimeSource.system());
    node.capabilities = Set.of(Capability.FENCING, Capability.WAKE_UPS);
    AtomicInteger asked = new AtomicInteger();
    node.onGrant =
        request -> {
          node.grants.clear();
          asked.incrementAndGet();
          return ScriptedNode.done(node.busy(-1));
        };
    List<CompletableFuture<Lease>> calls = new ArrayList<>();
    try (LockClient client = Locks.builder().node(node).discoverListeners(false).open()) {
      AtomicInteger gate = new AtomicInteger();
      Random random = new Random();
      for (int round = 0; round < ROUNDS; round++) {
        String name = "lock-" + round;
        asked.set(0);
        CompletableFuture<Lease> front =
            client.lock(name).acquireAsync(Duration.ofHours(1)); // asks, then asks as a waiter
        while (asked.get() < 2) {
          LockSupport.parkNanos(10_000);
        }
        gate.set(0);
        Future<?> leaving =
            threads.submit(
                () -> {
                  meet(gate);
                  front.cancel(false);
                });
        meet(gate);
        for (int spins = random.nextInt(50); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        calls.add(client.lock(name).acquireAsync(Duration.ofMillis(2)));
        leaving.get();
      }
      CompletableFuture<Void> all =
          CompletableFuture.allOf(
              calls.stream().map(AsyncDeadlineTest::timedOut).toArray(CompletableFuture<?>[]::new));
      assertThat(all).as("every call has ended").succeedsWithin(Duration.ofSeconds(10));
    }
  }

  private static CompletableFuture<?> timedOut(CompletableFuture<Lease> call) {
    return call.handle(
        (lease, error) -> assertThat(error).isInstanceOf(LockTimeoutException.class));
  }

  private static void meet(AtomicInteger gate) {
    gate.incrementAndGet();
    for (int spins = 0; gate.get() < 2; spins++) {
      if (spins < 1_000) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(10_000); // the other thread may wait for this processor
      }
    }
  }
}
