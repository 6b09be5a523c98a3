package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One reply or one timer that fails must not leave the replies after it without a deadline. */
class DeadlinesTest {
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private long now;
  private boolean refuses;

  private final TimeSource time =
      new TimeSource() {
        @Override
        public long monotonicNanos() {
          return now;
        }

        @Override
        public long wallMillis() {
          return now / 1_000_000;
        }
      };

  private final Scheduler scheduler =
      (task, delay) -> {
        if (refuses) {
          throw new IllegalStateException("no timer");
        }
        timers.add(task);
        return () -> {};
      };

  private final TestContext context =
      new TestContext() {
        @Override
        public TimeSource time() {
          return time;
        }

        @Override
        public Scheduler scheduler() {
          return scheduler;
        }
      };

  private final Deadlines deadlines = new Deadlines(context, Duration.ofNanos(1_000));

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void aReplyThatThrowsWhenItIsLateDoesNotStopTheOthers() {
    deadlines.watch(
        new Deadlines.Awaited() {
          @Override
          public boolean isDone() {
            return false;
          }

          @Override
          public long deadlineNanos() {
            return 1_000;
          }

          @Override
          public void late(RedisConnectionFailure timeout) {
            throw new IllegalStateException("a stray exception");
          }
        });
    CompletableFuture<String> second = new CompletableFuture<>();
    deadlines.watch(second);
    now = 1_000;
    assertThatThrownBy(timers.remove()::run).hasMessage("a stray exception");
    timers.remove().run();
    assertThat(second).isCompletedExceptionally();
  }

  @Test
  void aTimerThatCannotBeSetIsSetWithTheNextReply() {
    CompletableFuture<String> first = new CompletableFuture<>();
    refuses = true;
    assertThatThrownBy(() -> deadlines.watch(first)).hasMessage("no timer");
    refuses = false;
    deadlines.watch(new CompletableFuture<>());
    now = 1_000;
    timers.remove().run();
    assertThat(first).isCompletedExceptionally();
  }
}
