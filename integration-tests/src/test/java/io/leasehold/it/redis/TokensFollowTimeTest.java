package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.spi.TimeSource;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A later grant has a larger token than an earlier one that was completed, also when the earlier
 * lease of the same client ended unnoticed, and whatever the client's clocks do meanwhile.
 */
@ParameterizedClass
@EachDriver
class TokensFollowTimeTest {
  private static final String PATIENT = "commandTimeout=5s&connectTimeout=10s";
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions BRIEF =
      LockOptions.defaults().withLeaseTime(Duration.ofMillis(600)).withoutRenewal();
  private static final int ROUNDS = 10;

  @Parameter Driver driver = Driver.LETTUCE;

  private final StoppableClock clock = new StoppableClock();
  private RedisServer server;
  private LockClient client;
  private LockClient other;

  /** The clocks of a client, which can stand still. */
  private static final class StoppableClock implements TimeSource {
    private record Stopped(long nanos, long millis) {}

    private volatile @Nullable Stopped stopped;

    void stop() {
      stopped = new Stopped(System.nanoTime(), System.currentTimeMillis());
    }

    void goOn() {
      stopped = null;
    }

    @Override
    public long monotonicNanos() {
      Stopped now = stopped;
      return now == null ? System.nanoTime() : now.nanos;
    }

    @Override
    public long wallMillis() {
      Stopped now = stopped;
      return now == null ? System.currentTimeMillis() : now.millis;
    }
  }

  @BeforeEach
  void open() {
    server = RedisServer.start();
    client = Locks.builder().url(driver.url(server, PATIENT)).clock(clock).open();
    other = Locks.open(driver.url(server, PATIENT));
  }

  @AfterEach
  void close() {
    clock.goOn();
    client.close();
    other.close();
    server.close();
  }

  private boolean isInLine(String name) {
    return server.command("KEYS", "leasehold:waiters:*" + name) instanceof List<?> lines
        && !lines.isEmpty();
  }

  private CompletableFuture<Lease> waiting(DistributedLock lock) {
    CompletableFuture<Lease> call = lock.acquireAsync(MINUTE);
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> call.isDone() || isInLine(lock.name())); // the lease before it is brief
    return call;
  }

  private static Lease get(CompletableFuture<Lease> call) throws Exception {
    return call.get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  /** A lease that came from another call of this client. */
  private static Lease handedOver(Lease first, CompletableFuture<Lease> second) throws Exception {
    first.release();
    return get(second);
  }

  /** Another client's grant, unless the call that waits has come first: then it gives way. */
  private Lease grantedBetween(DistributedLock lock, CompletableFuture<Lease> inLine)
      throws Exception {
    Optional<Lease> between = other.lock(lock.name()).tryAcquire();
    if (between.isEmpty()) {
      get(inLine).release();
    }
    return between.isPresent() ? between.get() : other.lock(lock.name()).acquire(SOON);
  }

  /**
   * The lease has ended on the server, and another client's grant is complete. A call that begins
   * then gets a larger token.
   *
   * @param inLine a call that has kept the line of the client alive, with its wake-ups
   */
  private static void expectOrder(
      DistributedLock lock, Lease ended, Lease between, CompletableFuture<Lease> inLine)
      throws Exception {
    assertThat(between.fencingToken()).isGreaterThan(ended.fencingToken());
    CompletableFuture<Lease> later = lock.acquireAsync(MINUTE);
    inLine.cancel(false);
    assertThat(ended.release()).isEqualTo(ReleaseResult.LOST);
    assertThat(later).as("while another client holds the lock").isNotDone();
    between.release();
    try (Lease lease = get(later)) {
      assertThat(lease.fencingToken()).isGreaterThan(between.fencingToken());
    }
  }

  @Test
  void alsoWhenTheClocksOfAClientStandStill() throws Exception {
    for (int round = 0; round < 3; round++) {
      DistributedLock lock = client.lock("still-" + round, BRIEF);
      Lease first = lock.acquire(SOON);
      CompletableFuture<Lease> second = waiting(lock);
      CompletableFuture<Lease> third = lock.acquireAsync(MINUTE);
      clock.stop();
      Lease handedOver = handedOver(first, second);
      await()
          .atMost(SOON)
          .until(() -> Long.valueOf(0).equals(server.command("EXISTS", lock.name())));
      Lease between = grantedBetween(lock, third);
      assertThat(handedOver.isHeld()).as("as far as its client knows").isTrue();
      expectOrder(lock, handedOver, between, third);
      clock.goOn();
    }
  }

  @Test
  void alsoAfterAReleaseByForceOfWhichTheHolderIsTold() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      DistributedLock lock = client.lock("forced-" + round);
      Lease first = lock.acquire(SOON);
      CompletableFuture<Lease> second = waiting(lock);
      CompletableFuture<Lease> third = lock.acquireAsync(MINUTE);
      if (round % 2 == 1) {
        clock.stop(); // as if all that follows took no time
      }
      Lease handedOver = handedOver(first, second);
      List<LossReason> losses = new CopyOnWriteArrayList<>();
      handedOver.onLost(loss -> losses.add(loss.reason()));
      other.forceRelease(lock.name(), "a test");
      Lease between = grantedBetween(lock, third);
      expectOrder(lock, handedOver, between, third);
      await().atMost(SOON).until(() -> !losses.isEmpty());
      assertThat(losses).containsExactly(LossReason.FORCED);
      clock.goOn();
    }
  }
}
