package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.CFG_2;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import io.leasehold.LockTimeoutException;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** CFG-2: durations at and beyond their bounds. */
final class CfgDurationChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration BEFORE_EVER = Duration.ofSeconds(Long.MIN_VALUE);

  @Verifies(CFG_2)
  void leaseTimesOutOfBoundsAreRefused(Bench bench) {
    for (String value :
        List.of(
            "0ms",
            "0s",
            "-1s",
            "1ms",
            "2ms",
            "9ms",
            "5",
            "1.5s",
            "61s",
            "999999999999999999d",
            "99999999999999999999s")) {
      expectRefused(
          () -> bench.client().option("leaseTime", value).open(), "leaseTime", "of " + value);
    }
    for (String value : List.of("0ms", "-1s", "2d")) {
      expectRefused(
          () -> bench.client().option("maxLease", value).open(), "maxLease", "of " + value);
    }
  }

  @Verifies(CFG_2)
  void otherTimesOutOfBoundsAreRefused(Bench bench) {
    expectRefused(() -> bench.client().option("waitTime", "-1s").open(), "waitTime", "of -1s");
    expectRefused(
        () -> bench.client().option("waitTime", "999999999999999999d").open(),
        "waitTime",
        "that overflows");
    expectRefused(() -> bench.client().option("maxHold", "0ms").open(), "maxHold", "of 0ms");
    expectRefused(
        () -> bench.client().option("commandTimeout", "0ms").open(), "commandTimeout", "of 0ms");
  }

  @Verifies(CFG_2)
  void leaseTimesOfSingleLocksAreBoundToo(Bench bench) {
    LockClient client = bench.open();
    for (Duration value :
        List.of(
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofMillis(2), // no longer than the allowance for drift
            Duration.ofSeconds(61),
            FOREVER,
            BEFORE_EVER)) {
      expectRefused(
          () -> client.lock(bench.name(), LockOptions.defaults().withLeaseTime(value)),
          "leaseTime",
          "of " + value);
    }
    for (Duration value : List.of(Duration.ZERO, Duration.ofMillis(-1), BEFORE_EVER)) {
      expectRefused(
          () -> client.lock(bench.name(), LockOptions.defaults().withMaxHold(value)),
          "maxHold",
          "of " + value);
    }
  }

  private static void expectRefused(Callable<?> call, String key, String what) {
    LockConfigurationException refused =
        Expect.thrown(LockConfigurationException.class, call, "a " + key + " " + what);
    Expect.equal(key, refused.key(), "the key that the error for a " + key + " " + what + " names");
    Expect.that(
        String.valueOf(refused.getMessage()).contains(key),
        "the message about a " + key + " " + what + " must name it");
  }

  @Verifies(CFG_2)
  void theLongestHoldIsNotOverAtOnce(Bench bench) throws InterruptedException {
    LockClient client = bench.open();
    LockOptions options = LockOptions.defaults().withMaxHold(FOREVER).withWaitTime(FOREVER);
    Lease lease = Calmly.call("acquire()", () -> client.lock(bench.name(), options).acquire());
    Expect.that(lease.isHeld(), "a lease with the longest hold there is must be held");
  }

  @Verifies(CFG_2)
  void aWaitForEverIsNotOverAtOnce(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    DistributedLock lock = bench.open().lock(name);
    CompletableFuture<Lease> blocking = bench.fork(() -> lock.acquire(FOREVER));
    CompletableFuture<Lease> async = lock.acquireAsync(FOREVER);
    Waiting.always(
        "a wait for ever lasts",
        Duration.ofMillis(150),
        () -> !blocking.isDone() && !async.isDone());
  }

  @Verifies(CFG_2)
  void aNegativeWaitIsOneAttempt(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    DistributedLock lock = bench.open().lock(name);
    for (Duration wait : List.of(Duration.ofMillis(-1), BEFORE_EVER)) {
      Expect.thrown(
          LockTimeoutException.class,
          () ->
              Waiting.result(
                  "a negative wait is over at once",
                  bench.tolerance(),
                  bench.fork(() -> lock.acquire(wait))),
          "acquire(" + wait + ") of a busy lock");
    }
  }
}
