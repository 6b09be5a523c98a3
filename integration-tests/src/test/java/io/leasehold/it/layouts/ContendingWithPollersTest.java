package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.layouts.Diary.Hold;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code that polls for a lock, and clients of ours, want it as fast as they can. */
class ContendingWithPollersTest {
  private static final String NAME = "shared";

  /** They wake nobody: a waiter of ours asks when this is over, and not before. */
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  /** Whose layout it is. */
  private enum Old {
    SETNX,
    SET_NX_PX
  }

  private final List<Hold> holds = Collections.synchronizedList(new ArrayList<>());

  /** With one clock and no crash, the weaknesses of SETNX and GETSET do not show. */
  @ParameterizedTest
  @EnumSource(Old.class)
  void twoAndTwoNeverHoldItTogetherAndNobodyStarves(Old old) throws Exception {
    String layout = "layout=" + (old == Old.SETNX ? "setnx" : "distlock");
    try (RedisServer server = RedisServer.start();
        LockClient jedis = Locks.open(Driver.JEDIS.url(server, layout));
        LockClient vertx = Locks.open(Driver.VERTX.url(server, layout))) {
      long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int who = 0; who < 2; who++) {
        int poller = who;
        all.add(inThread(() -> poll(old, server.port(), poller, end)));
      }
      all.add(inThread(() -> acquire(jedis, 2, end)));
      all.add(inThread(() -> acquire(vertx, 3, end)));
      for (CompletableFuture<Void> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    holds.sort(Comparator.comparingLong(Hold::from));
    for (int i = 1; i < holds.size(); i++) {
      Hold earlier = holds.get(i - 1);
      Hold later = holds.get(i);
      assertThat(earlier.valid() && later.from() < earlier.to())
          .as(earlier + " overlaps " + later)
          .isFalse();
    }
    assertThat(holds.stream().map(Hold::who).distinct()).as("who had it").hasSize(4);
  }

  private void poll(Old kind, int port, int who, long end) {
    try (OldClient old = kind == Old.SETNX ? new SetnxClient(port) : new PlainClient(port)) {
      while (System.nanoTime() < end) {
        long asked = System.nanoTime();
        if (old.tryLock(NAME, TIMEOUT.toMillis())) {
          work(who, () -> System.nanoTime() - asked < TIMEOUT.toNanos());
          old.unlock(NAME);
        }
        LockSupport.parkNanos(2_000_000);
      }
    }
  }

  private void acquire(LockClient client, int who, long end) {
    try {
      while (System.nanoTime() < end) {
        try (Lease lease = client.lock(NAME).acquire()) {
          work(who, lease::isHeld);
        }
        LockSupport.parkNanos(2_000_000);
      }
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private void work(int who, BooleanSupplier held) {
    long from = System.nanoTime();
    LockSupport.parkNanos(1_000_000);
    long to = System.nanoTime();
    holds.add(new Hold(who < 2 ? "old" : "ours", who, from, to, held.getAsBoolean()));
  }

  private static CompletableFuture<Void> inThread(Runnable task) {
    return CompletableFuture.runAsync(task, run -> new Thread(run, "contender").start());
  }
}
