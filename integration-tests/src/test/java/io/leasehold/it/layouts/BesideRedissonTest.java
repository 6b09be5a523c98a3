package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** A Redisson client and one of ours, on one server and one lock. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is when they are released
class BesideRedissonTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  /** Without a wake-up we ask again after 15 s at the earliest, and they when 60 s are over. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final RedisServer SERVER = RedisServer.start();
  private static RedissonClient redisson;

  @BeforeAll
  static void start() {
    redisson = Redissons.at(SERVER.port());
    RLock warm = redisson.getLock("warm-up");
    warm.lock();
    warm.unlock();
  }

  @AfterAll
  static void stop() {
    redisson.shutdown();
    SERVER.close();
  }

  private static LockClient ours(Driver driver, String... options) {
    String[] all = List.of(options).toArray(new String[options.length + 1]);
    all[options.length] = "layout=redisson";
    return Locks.open(driver.url(SERVER, all));
  }

  @ParameterizedTest
  @EachDriver
  void eachExcludesTheOther(Driver driver) {
    String name = "excluded-" + driver;
    RLock theirs = redisson.getLock(name);
    try (LockClient client = ours(driver)) {
      try (Lease lease = client.lock(name).tryAcquire().orElseThrow()) {
        assertThat(theirs.tryLock()).isFalse();
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lease.isHeld()).isTrue();
        assertThatThrownBy(lease::fencingToken).isInstanceOf(LockCapabilityException.class);
      }
      assertThat(theirs.tryLock()).isTrue();
      assertThat(client.lock(name).tryAcquire()).isEmpty();
      theirs.unlock();
      client.lock(name).tryAcquire().orElseThrow().close();
    }
    assertThat(SERVER.command("EXISTS", name)).isEqualTo(0L);
  }

  @ParameterizedTest
  @EachDriver
  void theirReEntryCounts(Driver driver) {
    String name = "entered-" + driver;
    RLock theirs = redisson.getLock(name);
    try (LockClient client = ours(driver)) {
      theirs.lock();
      theirs.lock();
      theirs.unlock();
      assertThat(client.lock(name).tryAcquire()).as("still held once").isEmpty();
      theirs.unlock();
      client.lock(name).tryAcquire().orElseThrow().close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "JEDIS, order:1",
    "LETTUCE, order:1",
    "VERTX, order:1",
    "JEDIS, tag{ged}",
    "LETTUCE, half{open",
  })
  void ourReleaseWakesTheirWaiter(Driver driver, String name) throws Exception {
    try (LockClient client = ours(driver, "leaseTime=60s")) {
      Lease lease = client.lock(name).acquire();
      CompletableFuture<Long> waiter =
          CompletableFuture.supplyAsync(
              () -> {
                RLock theirs = redisson.getLock(name);
                theirs.lock(60, TimeUnit.SECONDS);
                long got = System.nanoTime();
                theirs.unlock();
                return got;
              });
      awaitListener(name);
      long released = System.nanoTime();
      lease.release();
      long got = waiter.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(Duration.ofNanos(got - released)).isLessThan(SOON);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "JEDIS, order:2",
    "LETTUCE, order:2",
    "VERTX, order:2",
    "JEDIS, ta{gg}ed",
    "VERTX, half{open",
  })
  void theirReleaseWakesOurWaiter(Driver driver, String name) throws Exception {
    RLock theirs = redisson.getLock(name);
    try (LockClient client = ours(driver)) {
      theirs.lock(60, TimeUnit.SECONDS);
      CompletableFuture<Long> waiter =
          CompletableFuture.supplyAsync(
              () -> {
                try (Lease lease = client.lock(name).acquire(BOUND)) {
                  long got = System.nanoTime();
                  assertThat(lease.isHeld()).isTrue();
                  return got;
                } catch (InterruptedException e) {
                  throw new CompletionException(e);
                }
              });
      awaitListener(name);
      long released = System.nanoTime();
      theirs.unlock();
      long got = waiter.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(Duration.ofNanos(got - released)).isLessThan(SOON);
    }
    // The connection ends with the last who waited.
    await().atMost(BOUND).until(() -> listeners(name) == 0);
  }

  @ParameterizedTest
  @EachDriver
  void ourWaiterHearsThemAfterItsConnectionWasCut(Driver driver) throws Exception {
    String name = "cut-" + driver;
    RLock theirs = redisson.getLock(name);
    try (LockClient client = ours(driver, "clientName=" + name)) {
      theirs.lock(60, TimeUnit.SECONDS);
      CompletableFuture<Lease> waiter = client.lock(name).acquireAsync(BOUND);
      awaitListener(name);
      String before = listenerOf(name);
      SERVER.command("CLIENT", "KILL", "ID", before);
      await().atMost(BOUND).until(() -> !List.of(before, "").contains(listenerOf(name)));
      awaitListener(name);
      long released = System.nanoTime();
      theirs.unlock();
      try (Lease lease = waiter.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
        assertThat(lease.isHeld()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(SOON);
      }
    }
  }

  @ParameterizedTest
  @EachDriver
  void eachRenewsItsOwnAndNotTheOthers(Driver driver) throws Exception {
    String name = "renewed-" + driver;
    RedissonClient quick = Redissons.at(SERVER.port(), Duration.ofMillis(900));
    try (LockClient client = ours(driver, "leaseTime=900ms")) {
      Lease lease = client.lock(name).acquire();
      CompletableFuture<Boolean> refused =
          CompletableFuture.supplyAsync(() -> tryFor(quick, name, 2_500));
      assertThat(refused.get(BOUND.toSeconds(), TimeUnit.SECONDS))
          .as("our watch dog outlives the lease time")
          .isFalse();
      assertThat(lease.isHeld()).isTrue();
      lease.release();

      RLock theirs = quick.getLock(name);
      theirs.lock();
      assertThat(client.lock(name).tryAcquire(Duration.ofMillis(2_500)))
          .as("theirs does, too")
          .isEmpty();
      assertThat(theirs.isHeldByCurrentThread()).isTrue();
      theirs.unlock();
    } finally {
      quick.shutdown();
    }
  }

  private static boolean tryFor(RedissonClient client, String name, long millis) {
    try {
      return client.getLock(name).tryLock(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  @ParameterizedTest
  @EachDriver
  void aHolderOfOursLearnsThatTheyForcedItOpen(Driver driver) throws Exception {
    String name = "forced-" + driver;
    try (LockClient client = ours(driver, "leaseTime=900ms")) {
      Lease lease = client.lock(name).acquire();
      CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();
      lease.onLost(lost::complete);
      assertThat(redisson.getLock(name).forceUnlock()).isTrue();
      assertThat(lost.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isNotNull();
      assertThat(lease.isHeld()).isFalse();
      assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    }
  }

  @ParameterizedTest
  @EachDriver
  void aCrashOfOneSideDelaysTheOtherNoLongerThanTheLease(Driver driver) throws Exception {
    String name = "crashed-" + driver;
    RedissonClient dying = Redissons.at(SERVER.port(), Duration.ofMillis(1_500));
    dying.getLock(name).lock();
    dying.shutdown(); // its watch dog ends, and nobody unlocks
    try (LockClient client = ours(driver, "leaseTime=1s")) {
      long begin = System.nanoTime();
      Lease lease = client.lock(name).acquire(BOUND);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
      lease.release();
    }
    SERVER.command("HSET", name, "one-of-ours-that-died", "1");
    SERVER.command("PEXPIRE", name, "1500");
    long begin = System.nanoTime();
    RLock theirs = redisson.getLock(name);
    assertThat(theirs.tryLock(20, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    theirs.unlock();
  }

  private static void awaitListener(String name) {
    await().atMost(BOUND).until(() -> listeners(name) == 1);
    // It asks once more when it listens, and until then it polls: that must not be what is seen.
    await().pollDelay(Duration.ofMillis(500)).until(() -> true);
  }

  /** The id of the connection on which a client with this name listens; empty for none. */
  private static String listenerOf(String clientName) {
    return String.valueOf(SERVER.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains("name=" + clientName + " ") && line.contains(" sub=1 "))
        .map(line -> line.replaceFirst("^id=(\\d+) .*$", "$1"))
        .findFirst()
        .orElse("");
  }

  private static long listeners(String name) {
    String channel = "redisson_lock__channel:" + (name.contains("{") ? name : "{" + name + "}");
    return SERVER.command("PUBSUB", "NUMSUB", channel) instanceof List<?> counts
        ? Long.parseLong(String.valueOf(counts.get(1)))
        : -1;
  }
}
