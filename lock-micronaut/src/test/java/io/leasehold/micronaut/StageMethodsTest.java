package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockTimeoutException;
import io.micronaut.context.ApplicationContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StageMethodsTest {
  private final Neighbour neighbour = new Neighbour();
  private final ApplicationContext context = neighbour.application();
  private final Orders orders = context.getBean(Orders.class);

  @AfterEach
  void close() {
    context.close();
    neighbour.close();
  }

  private static <T> T result(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Test
  void theLockIsHeldUntilTheStageIsCompleteAndFreeWhenTheCallerIsTold() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletionStage<String> paid = orders.pay("7", work);
    await().atMost(BOUND).until(() -> orders.calls.get() == 1);
    assertThat(neighbour.isRefused("order:7")).isTrue();
    assertThat(paid.toCompletableFuture()).isNotDone();

    work.complete("paid");
    assertThat(result(paid)).isEqualTo("paid");
    assertThat(neighbour.isRefused("order:7")).isFalse();
  }

  @Test
  void aStageThatFailsFreesTheLockAndFailsTheCaller() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletionStage<String> paid = orders.pay("7", work);
    work.completeExceptionally(new IOException("no"));
    assertThatThrownBy(() -> result(paid)).hasCause(new IOException("no"));
    assertThat(neighbour.isRefused("order:7")).isFalse();
  }

  @Test
  void aMethodThatThrowsInsteadFailsTheStage() {
    CompletableFuture<String> failed = orders.throwing();
    assertThatThrownBy(() -> result(failed)).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(neighbour.isRefused("throwing")).isFalse();
  }

  @Test
  void aMethodThatReturnsNoStageFailsTheStage() {
    assertThatThrownBy(() -> result(orders.none()))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no stage");
    assertThat(neighbour.isRefused("none")).isFalse();
  }

  @Test
  void aBusyLockFailsOrSkipsTheStage() {
    try (Lease held = neighbour.take("busy")) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> result(orders.fail()))
          .hasCauseInstanceOf(LockTimeoutException.class);
      assertThat(result(orders.skip())).isNull();
      assertThat(result(orders.skipOptional())).isEmpty();
    }
    assertThat(result(orders.skip())).isEqualTo("not skipped");
    assertThat(result(orders.skipOptional())).contains("not skipped");
  }

  @Test
  void aWaitingCallGetsTheLockWhenItIsFree() {
    CompletionStage<String> paid;
    try (Lease held = neighbour.take("order:7")) {
      assertThat(held.isHeld()).isTrue();
      paid = orders.pay("7", CompletableFuture.completedFuture("paid"));
      assertThat(paid.toCompletableFuture()).isNotDone();
    }
    assertThat(result(paid)).isEqualTo("paid");
  }

  @Test
  void cancellingACallThatWaitsGivesUp() {
    CompletableFuture<String> paid;
    try (Lease held = neighbour.take("order:7")) {
      assertThat(held.isHeld()).isTrue();
      paid = orders.pay("7", CompletableFuture.completedFuture("paid")).toCompletableFuture();
      paid.cancel(true);
    }
    neighbour.awaitFree("order:7");
    assertThat(orders.calls).hasValue(0);
  }

  @Test
  void cancellingACallThatWorksHoldsTheLockUntilTheWorkIsDone() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> paid = orders.pay("7", work).toCompletableFuture();
    await().atMost(BOUND).until(() -> orders.calls.get() == 1);
    paid.cancel(true);
    assertThat(neighbour.isRefused("order:7")).isTrue();
    work.complete("paid");
    neighbour.awaitFree("order:7");
  }

  @Test
  void theLeaseIsGivenAndCurrentWhereTheMethodIsCalled() {
    CompletableFuture<Lease> seen = new CompletableFuture<>();
    assertThat(result(orders.lease(seen, null))).isEqualTo(result(seen).fencingToken());
  }

  @Test
  void aLeaseThatIsLostMeanwhileFailsTheStage() {
    try (ApplicationContext hasty = neighbour.application("leasehold.options.max-hold", "50ms")) {
      CompletableFuture<Lease> seen = new CompletableFuture<>();
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletionStage<String> lost = hasty.getBean(Orders.class).lost(seen, work, null);
      await().atMost(BOUND).until(() -> !result(seen).isHeld());
      work.complete("done");
      assertThatThrownBy(() -> result(lost)).hasCauseInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aWrongNameFailsTheStageAndNotTheCall() {
    CompletionStage<String> failed = orders.pay(null, new CompletableFuture<>());
    assertThatThrownBy(() -> result(failed))
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{id} is null");
  }

  @Singleton
  static class Orders {
    final AtomicInteger calls = new AtomicInteger();
    private final CurrentLease current;

    Orders(CurrentLease current) {
      this.current = current;
    }

    @Locked("order:{id}")
    CompletionStage<String> pay(@Nullable String id, CompletableFuture<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @Locked("throwing")
    CompletableFuture<String> throwing() {
      throw new IllegalStateException("no");
    }

    @Locked("none")
    @SuppressWarnings("NullAway") // the mistake that is tested
    CompletableFuture<String> none() {
      return null;
    }

    @Locked(value = "busy", waitTime = "0s")
    CompletableFuture<String> fail() {
      return CompletableFuture.completedFuture("not failed");
    }

    @Locked(value = "busy", waitTime = "0s", onBusy = OnBusy.SKIP)
    CompletableFuture<String> skip() {
      return CompletableFuture.completedFuture("not skipped");
    }

    @Locked(value = "busy", waitTime = "0s", onBusy = OnBusy.SKIP)
    CompletionStage<Optional<String>> skipOptional() {
      return CompletableFuture.completedFuture(Optional.of("not skipped"));
    }

    @Locked("lease")
    CompletableFuture<Long> lease(CompletableFuture<Lease> seen, @Nullable Lease lease) {
      seen.complete(requireNonNull(lease));
      return CompletableFuture.completedFuture(current.require().fencingToken());
    }

    @Locked("lost")
    CompletableFuture<String> lost(
        CompletableFuture<Lease> seen, CompletableFuture<String> work, @Nullable Lease lease) {
      seen.complete(requireNonNull(lease));
      return work;
    }
  }
}
