package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Clients that wait and then go: they give up, close or die. A client that still waits is woken by
 * the next release all the same, and does not depend on its poll, which comes after 15 s at the
 * earliest.
 */
@ParameterizedClass
@EachDriver
class GoneWaitersTest {
  private static final int MANY = 40;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration BEFORE_ANY_POLL = Duration.ofSeconds(10);

  @Parameter Driver driver = Driver.LETTUCE;

  private final List<LockClient> gone = new CopyOnWriteArrayList<>();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private RedisServer server;
  private LockClient holder;
  private LockClient alive;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    holder = Locks.open(driver.url(server));
    alive = Locks.builder().url(driver.url(server)).listener(new WakeUps()).open();
  }

  @AfterEach
  void close() {
    closeThoseThatGo();
    alive.close();
    holder.close();
    server.close();
  }

  @Test
  void fortyClientsThatWereClosedDelayNoOther() {
    Lease held = holder.lock("a").tryAcquire().orElseThrow();
    beginToWait(driver.url(server), LockOptions.defaults());
    CompletableFuture<Lease> waits = aliveWaits(LockOptions.defaults());
    closeThoseThatGo();
    assertThat(holder.inspect("a").waiters()).isEqualTo(1);
    held.release();
    expectWoken(waits);
  }

  @Test
  void fortyClientsThatWereClosedInAFairLineDelayNoOther() {
    LockOptions fair = LockOptions.defaults().withFair();
    Lease held = holder.lock("a", fair).tryAcquire().orElseThrow();
    beginToWait(driver.url(server), fair);
    CompletableFuture<Lease> waits = aliveWaits(fair);
    closeThoseThatGo();
    assertThat(holder.inspect("a").waiters()).isEqualTo(1);
    held.release();
    expectWoken(waits);
  }

  @Test
  void fortyClientsWhoseConnectionsDiedDelayNoOther() {
    try (FaultyProxy proxy = FaultyProxy.to(server)) {
      Lease held = holder.lock("a").tryAcquire().orElseThrow();
      beginToWait(driver.at(proxy.port()), LockOptions.defaults());
      CompletableFuture<Lease> waits = aliveWaits(LockOptions.defaults());
      proxy.refuse();
      proxy.cut(Cut.RST);
      awaitListeners(1);
      assertThat(holder.inspect("a").waiters()).isEqualTo(MANY + 1);
      held.release();
      expectWoken(waits);
      proxy.heal(); // so that they close at once
    }
  }

  @Test
  void aClientThatGivesUpIsNoWaiterAnyMore() throws InterruptedException {
    for (LockOptions options : List.of(LockOptions.defaults(), LockOptions.defaults().withFair())) {
      Lease held = holder.lock("a", options).tryAcquire().orElseThrow();
      CompletableFuture<Lease> waits = alive.lock("a", options).acquireAsync(MINUTE);
      awaitWaiters(1);
      waits.cancel(true);
      awaitWaiters(0);
      assertThat(alive.lock("a", options).tryAcquire(Duration.ofMillis(200))).isEmpty();
      awaitWaiters(0);
      held.release();
    }
  }

  /** The clients that will go: each is in line when this returns. */
  private void beginToWait(String url, LockOptions options) {
    inParallel(Collections.nCopies(MANY, () -> gone.add(Locks.open(url))));
    assertThat(gone)
        .allSatisfy(
            client -> assertThat(client.lock("a", options).acquireAsync(MINUTE)).isNotDone());
    awaitWaiters(MANY);
  }

  private void closeThoseThatGo() {
    inParallel(gone.stream().<Runnable>map(client -> client::close).toList());
  }

  private static void inParallel(List<Runnable> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size() + 1);
    try {
      CompletableFuture.allOf(
              tasks.stream()
                  .map(task -> CompletableFuture.runAsync(task, threads))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } finally {
      threads.shutdown();
    }
  }

  /** Stands in line behind them. */
  private CompletableFuture<Lease> aliveWaits(LockOptions options) {
    CompletableFuture<Lease> waits = alive.lock("a", options).acquireAsync(MINUTE);
    awaitWaiters(MANY + 1);
    return waits;
  }

  private void awaitWaiters(int count) {
    await().atMost(MINUTE).until(() -> holder.inspect("a").waiters() == count);
  }

  private void awaitListeners(int count) {
    await()
        .atMost(MINUTE)
        .until(
            () ->
                server.command("PUBSUB", "CHANNELS", "leasehold:wake:*") instanceof List<?> all
                    && all.size() == count);
  }

  private void expectWoken(CompletableFuture<Lease> waits) {
    assertThat(waits).succeedsWithin(BEFORE_ANY_POLL);
    assertThat(wakeUps).hasPositiveValue();
  }

  private final class WakeUps implements LockListener {
    @Override
    public LockObserver start(AcquireCall call) {
      return new LockObserver() {
        @Override
        public void woken(Moment moment) {
          wakeUps.incrementAndGet();
        }
      };
    }
  }
}
