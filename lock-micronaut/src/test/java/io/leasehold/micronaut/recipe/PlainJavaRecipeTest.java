package io.leasehold.micronaut.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.Locks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlainJavaRecipeTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final String url = "lock:mem://" + UUID.randomUUID();
  private final LockClient here = Locks.open(url);
  private final LockClient there = Locks.open(url);
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void close() {
    scheduler.shutdownNow();
    here.close();
    there.close();
  }

  private boolean isRefused(String name) {
    return there.lock(name).tryAcquire().map(PlainJavaRecipeTest::released).isEmpty();
  }

  private static boolean released(Lease lease) {
    lease.close();
    return true;
  }

  @Test
  void theRecipeIsThatOfThePage() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String code =
        Files.readString(module.resolve("src/test/java/io/leasehold/micronaut/recipe/Locked.java"));
    String page = Files.readString(module.resolve("../docs/recipes.md"));
    assertThat(page).contains(code.substring(code.indexOf("/** Work that")).strip());
  }

  @Test
  void aCallHoldsTheLock() throws InterruptedException {
    DistributedLock lock = here.lock("a");
    assertThat(Locked.<Boolean>call(lock, BOUND, lease -> isRefused("a"))).isTrue();
    assertThat(isRefused("a")).isFalse();
    assertThatThrownBy(
            () ->
                Locked.call(
                    lock,
                    BOUND,
                    lease -> {
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(isRefused("a")).isFalse();
  }

  @Test
  void aBusyLockFailsOrSkipsTheCall() {
    try (Lease held = there.lock("a").tryAcquire().orElseThrow()) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> Locked.call(here.lock("a"), Duration.ZERO, lease -> "called"))
          .isInstanceOf(LockTimeoutException.class);
      assertThat(Locked.tryCall(here.lock("a"), lease -> "called")).isEmpty();
    }
    assertThat(Locked.tryCall(here.lock("a"), lease -> "called")).contains("called");
    assertThat(isRefused("a")).isFalse();
  }

  @Test
  void aLeaseThatIsLostFailsTheCall() {
    assertThatThrownBy(
            () ->
                Locked.call(
                    here.lock("a"),
                    BOUND,
                    lease -> {
                      here.close();
                      return "done";
                    }))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void anAsynchronousCallHoldsTheLockUntilItsStageIsComplete() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletionStage<String> result = Locked.callAsync(here.lock("a"), BOUND, lease -> work);
    await().atMost(BOUND).until(() -> isRefused("a"));
    assertThat(result.toCompletableFuture()).isNotDone();
    work.complete("done");
    assertThat(result.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join())
        .isEqualTo("done");
    assertThat(isRefused("a")).isFalse();

    CompletionStage<String> failed =
        Locked.callAsync(
            here.lock("a"),
            BOUND,
            lease -> {
              throw new IllegalStateException("no");
            });
    assertThatThrownBy(() -> failed.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join())
        .hasRootCauseMessage("no");
    assertThat(isRefused("a")).isFalse();
  }

  @Test
  void anAsynchronousCallThatIsCancelledWhileItWaitsReleasesTheLock() {
    CompletableFuture<String> work = new CompletableFuture<>();
    Lease held = there.lock("a").tryAcquire().orElseThrow();
    CompletionStage<String> result =
        Locked.callAsync(
            here.lock("a"),
            BOUND,
            lease -> {
              work.complete("done");
              return work;
            });
    assertThat(result.toCompletableFuture().cancel(true)).isTrue();
    held.close();
    assertThat(work.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("done");
    await().atMost(BOUND).until(() -> !isRefused("a"));
  }

  @Test
  @SuppressWarnings("NullAway") // what an application without it can write
  void anAsynchronousCallWithoutAStageReleasesTheLock() {
    CompletionStage<String> result = Locked.callAsync(here.lock("a"), BOUND, lease -> null);
    assertThatThrownBy(() -> result.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join())
        .hasRootCauseInstanceOf(NullPointerException.class);
    assertThat(isRefused("a")).isFalse();
  }

  @Test
  void aJobWhoseSchedulerWasShutDownReleasesTheLock() {
    scheduler.shutdown();
    Duration hour = Duration.ofHours(1);
    Locked.runOnce(here, "job", Duration.ofMinutes(10), hour, scheduler, lease -> {});
    assertThat(isRefused("job")).isFalse();
  }

  @Test
  void aJobRunsOnceAndItsLockIsKept() {
    AtomicInteger runs = new AtomicInteger();
    Duration hour = Duration.ofHours(1);
    Consumer<Lease> job = lease -> runs.incrementAndGet();
    Locked.runOnce(here, "job", Duration.ofMinutes(10), hour, scheduler, job);
    Locked.runOnce(there, "job", Duration.ofMinutes(10), hour, scheduler, job);
    assertThat(runs).hasValue(1);
    Locked.runOnce(here, "brief", Duration.ofMillis(200), hour, scheduler, job);
    assertThat(runs).hasValue(2);
    await().atMost(BOUND).until(() -> !isRefused("brief"));
  }
}
