package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PatienceTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long SHORT = Duration.ofMillis(150).toNanos();

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void anAnswerEndsTheWait() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Patience patience = new Patience(MINUTE);
    Future<String> waiting = threads.submit(() -> patience.await(answer, MINUTE));
    answer.complete("yes");
    assertThat(waiting.get()).isEqualTo("yes");
  }

  @Test
  void aFailureEndsTheWait() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Patience patience = new Patience(MINUTE);
    Future<String> waiting = threads.submit(() -> patience.await(answer, MINUTE));
    answer.completeExceptionally(new IllegalStateException("no"));
    assertThatThrownBy(waiting::get).hasRootCauseMessage("no");
  }

  @Test
  void whatIsAnsweredAlreadyIsNotWaitedFor() throws Exception {
    Patience patience = new Patience(MINUTE, (task, delay) -> fail("a timer"));
    assertThat(patience.await(CompletableFuture.completedFuture("yes"), MINUTE)).isEqualTo("yes");
  }

  @Test
  void silenceEndsWithTheTimeAndNotBefore() {
    assertSilenceEndsAfter(SHORT, new Patience(SHORT));
  }

  @Test
  void aLongerTimeIsWaitedForToItsEnd() {
    assertSilenceEndsAfter(3 * SHORT, new Patience(SHORT));
  }

  @Test
  void aShorterTimeIsNotStretchedToTheUsualOne() {
    assertSilenceEndsAfter(SHORT, new Patience(MINUTE));
  }

  @Test
  void oneThatIsVeryPatientMakesNobodyElseWait() {
    Patience patience = new Patience(SHORT);
    CompletableFuture<String> late = new CompletableFuture<>();
    Future<String> patient = threads.submit(() -> patience.await(late, MINUTE));
    await().until(() -> late.getNumberOfDependents() == 1);
    await().pollDelay(Duration.ofNanos(2 * SHORT)).until(() -> true); // the timer has looked
    assertSilenceEndsAfter(SHORT, patience);
    assertThat(patient).isNotDone();
    late.complete("yes");
  }

  /** Whatever depends on a timeout of the JDK runs on the one thread that has them all. */
  @Test
  void anApplicationThatBlocksTheTimerOfTheJdkBlocksNoLockCall() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<String> silent = new CompletableFuture<>();
    var unused =
        silent.whenComplete(
            (none, error) -> {
              blocked.countDown();
              await().atMost(Duration.ofNanos(MINUTE)).until(() -> over.getCount() == 0);
            });
    // Only now: a timeout that ended before would run the callback on this thread.
    var timed = silent.orTimeout(1, TimeUnit.MILLISECONDS);
    blocked.await();
    try {
      assertSilenceEndsAfter(SHORT, new Patience(SHORT));
      assertThat(timed).isCompletedExceptionally();
    } finally {
      over.countDown();
    }
  }

  private static void assertSilenceEndsAfter(long nanos, Patience patience) {
    long begin = System.nanoTime();
    assertThatThrownBy(() -> patience.await(new CompletableFuture<>(), nanos))
        .isInstanceOf(TimeoutException.class);
    assertThat(System.nanoTime() - begin).isBetween(nanos, 20 * SHORT);
  }

  @Test
  void whoIsOneTooManyIsNotForgotten() {
    Patience patience = new Patience(SHORT);
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 2 * Patience.PLACES; i++) {
      waiting.add(threads.submit(() -> patience.await(new CompletableFuture<>(), SHORT)));
    }
    for (Future<?> one : waiting) {
      assertThatThrownBy(() -> one.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void whoIsInterruptedStopsWaiting() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Patience patience = new Patience(MINUTE);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                patience.await(answer, MINUTE);
              } catch (Exception e) {
                end.complete(e);
              }
            });
    thread.start();
    await().until(() -> thread.getState() == Thread.State.WAITING);
    thread.interrupt();
    assertThat(end.join()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void theThreadOfTheTimerGoesWhenThereIsNothingToWaitFor() {
    Scheduler timer = ThreadScheduler.endingWhenIdle("patience-test");
    Patience patience = new Patience(SHORT, timer);
    for (int times = 0; times < 2; times++) {
      assertSilenceEndsAfter(SHORT, patience);
      await()
          .until(
              () ->
                  Thread.getAllStackTraces().keySet().stream()
                      .noneMatch(thread -> thread.getName().startsWith("patience-test")));
    }
  }

  @Test
  void withoutATimerCallersStopWaitingAndTheNextOneSetsOne() throws Exception {
    Queue<Runnable> timers = new ConcurrentLinkedQueue<>();
    CountDownLatch setting = new CountDownLatch(1);
    CountDownLatch fails = new CountDownLatch(1);
    Patience patience =
        new Patience(
            MINUTE,
            (task, delay) -> {
              if (fails.getCount() == 0) {
                timers.add(task);
                return () -> {};
              }
              setting.countDown();
              await().atMost(Duration.ofNanos(MINUTE)).until(() -> fails.getCount() == 0);
              throw new IllegalStateException("no timer");
            });
    CompletableFuture<String> never = new CompletableFuture<>();
    Future<String> first = threads.submit(() -> patience.await(never, MINUTE));
    setting.await();
    Future<String> second = threads.submit(() -> patience.await(never, MINUTE));
    await().until(() -> never.getNumberOfDependents() == 1); // it relies on the first one's timer
    fails.countDown();
    assertThatThrownBy(first::get).hasRootCauseMessage("no timer");
    assertThatThrownBy(() -> second.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    CompletableFuture<String> answer = new CompletableFuture<>();
    Future<String> third = threads.submit(() -> patience.await(answer, MINUTE));
    await().until(() -> !timers.isEmpty());
    answer.complete("yes");
    assertThat(third.get()).isEqualTo("yes");
  }

  /** Counts are what this class is for. */
  @Test
  void oneTimerIsEnoughForManyAnswersAndNoneIsLeftWhenNobodyWaits() throws Exception {
    Queue<Runnable> timers = new ConcurrentLinkedQueue<>();
    Queue<Long> delays = new ConcurrentLinkedQueue<>();
    Patience patience =
        new Patience(
            MINUTE,
            (task, delay) -> {
              delays.add(delay);
              timers.add(task);
              return () -> {};
            });
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      Future<Integer> waiting = threads.submit(() -> patience.await(answer, MINUTE));
      answer.complete(i);
      assertThat(waiting.get()).isEqualTo(i);
    }
    CompletableFuture<String> last = new CompletableFuture<>();
    Future<String> waiting = threads.submit(() -> patience.await(last, MINUTE));
    await().until(() -> last.getNumberOfDependents() == 1); // it has its place
    assertThat(timers).as("for a thousand and one").hasSize(1);
    timers.remove().run();
    assertThat(timers).as("one still waits").hasSize(1);
    assertThat(delays).first().isEqualTo(MINUTE);
    assertThat(delays).last().as("until its time is over").isNotEqualTo(MINUTE);
    last.complete("done");
    waiting.get();
    timers.remove().run();
    assertThat(timers).as("nobody waits").isEmpty();
  }

  /** The timer stops and begins all the time here: whoever comes in between must not be missed. */
  @Test
  void nobodyIsForgottenWhileTheTimerStopsAndBegins() throws Exception {
    long moment = Duration.ofNanos(20_000).toNanos();
    Patience patience = new Patience(moment);
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(
          threads.submit(
              () -> {
                for (int k = 0; k < 3_000; k++) {
                  try {
                    patience.await(new CompletableFuture<>(), moment);
                  } catch (TimeoutException e) {
                    continue;
                  }
                  throw new IllegalStateException("there was no answer");
                }
                return true;
              }));
    }
    for (Future<?> one : waiting) {
      assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo(true);
    }
  }
}
