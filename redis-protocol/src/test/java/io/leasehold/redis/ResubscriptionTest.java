package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ResubscriptionTest {
  private final HandScheduler scheduler = new HandScheduler();
  private final List<CompletableFuture<Boolean>> attempts = new ArrayList<>();
  private final Queue<Runnable> background = new ArrayDeque<>();
  private int confirmed;
  private boolean busy;
  private final Resubscription resubscription =
      new Resubscription(scheduler, this::execute, this::subscribe, () -> confirmed++);

  @Test
  void anInterruptionSubscribesInTheBackgroundAndIsOverWhenThatIsConfirmed() {
    resubscription.interrupted();
    assertThat(attempts).isEmpty();
    background.remove().run();
    assertThat(confirmed).isZero();
    attempts.get(0).complete(true);
    assertThat(confirmed).isOne();
    assertThat(scheduler.delays).isEmpty();
    resubscription.interrupted();
    background.remove().run();
    assertThat(attempts).hasSize(2);
  }

  @Test
  void aFailureIsTriedAgainWithAPauseThatGrowsToASecond() {
    resubscription.interrupted();
    for (int i = 0; i < 7; i++) {
      fail();
      scheduler.runNext();
    }
    assertThat(scheduler.delays.stream().map(Duration::toMillis))
        .containsExactly(50L, 100L, 200L, 400L, 800L, 1_000L, 1_000L);
    succeed();
    assertThat(confirmed).isOne();
    assertThat(scheduler.waiting()).isZero();
    resubscription.interrupted();
    fail();
    assertThat(scheduler.delays.get(7)).as("short again").isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void aSubscriptionThatThrowsIsAFailure() {
    resubscription.interrupted();
    busy = true; // the port breaks its contract
    background.remove().run();
    busy = false;
    scheduler.runNext();
    succeed();
    assertThat(confirmed).isOne();
  }

  @Test
  void whatDoesNotFitInTheBackgroundIsTriedAgain() {
    busy = true;
    resubscription.interrupted();
    assertThat(scheduler.delays).containsExactly(Duration.ofMillis(50));
    busy = false;
    scheduler.runNext();
    succeed();
    assertThat(confirmed).isOne();
  }

  @Test
  void severalInterruptionsMakeOneLoop() {
    resubscription.interrupted();
    resubscription.interrupted();
    assertThat(background).hasSize(1);
    fail();
    resubscription.interrupted();
    assertThat(background).isEmpty();
    assertThat(scheduler.waiting()).isOne();
    scheduler.runNext();
    succeed();
    assertThat(scheduler.waiting()).isZero();
    assertThat(confirmed).isOne();
  }

  @Test
  void whatWasInterruptedWhileItWasTriedIsTriedOnceMore() {
    resubscription.interrupted();
    background.remove().run();
    resubscription.interrupted();
    attempts.get(0).complete(true);
    assertThat(confirmed).isOne();
    scheduler.runNext();
    succeed();
    assertThat(attempts).hasSize(2);
    assertThat(confirmed).isEqualTo(2);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void whatHasEndedIsNotTriedAgainAndLeavesNoTimer() {
    resubscription.interrupted();
    fail();
    resubscription.end();
    assertThat(scheduler.waiting()).isZero();
    resubscription.interrupted();
    assertThat(background).isEmpty();
  }

  @Test
  void anAttemptThatFailsAfterTheEndIsTheLast() {
    resubscription.interrupted();
    background.remove().run();
    resubscription.end();
    attempts.get(0).completeExceptionally(RedisConnectionFailure.closed());
    assertThat(scheduler.delays).isEmpty();
  }

  private void fail() {
    background.remove().run();
    attempts
        .get(attempts.size() - 1)
        .completeExceptionally(new RedisConnectionFailure(FailureKind.UNREACHABLE, "down", null));
  }

  private void succeed() {
    background.remove().run();
    attempts.get(attempts.size() - 1).complete(true);
  }

  private CompletableFuture<Boolean> subscribe() {
    if (busy) {
      throw new IllegalStateException("broken");
    }
    CompletableFuture<Boolean> attempt = new CompletableFuture<>();
    attempts.add(attempt);
    return attempt;
  }

  private void execute(Runnable task) {
    if (busy) {
      throw new RejectedExecutionException();
    }
    background.add(task);
  }
}
