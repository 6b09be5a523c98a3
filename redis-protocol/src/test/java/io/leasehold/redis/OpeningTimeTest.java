package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpeningTimeTest {
  private static final long TIMEOUT = Duration.ofSeconds(2).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong classes = new AtomicLong(1_000);

  @Test
  void withoutClassLoadingTheConnectTimeoutIsAll() {
    OpeningTime opening = opening(TIMEOUT);
    now.addAndGet(TIMEOUT - 1);
    assertThat(opening.isOver()).isFalse();
    now.incrementAndGet();
    assertThat(opening.isOver()).isTrue();
  }

  @Test
  void theConnectTimeoutStartsAgainWhenClassesWereLoaded() {
    OpeningTime opening = opening(TIMEOUT);
    now.addAndGet(3 * TIMEOUT);
    classes.incrementAndGet();
    assertThat(opening.isOver()).isFalse();
    now.addAndGet(TIMEOUT - 1);
    assertThat(opening.isOver()).isFalse();
    now.incrementAndGet();
    assertThat(opening.isOver()).isTrue();
  }

  @Test
  void aShortConnectTimeoutLeavesTimeForAnotherAttemptAfterLoading() {
    OpeningTime opening = opening(1);
    now.addAndGet(5);
    classes.incrementAndGet();
    assertThat(opening.isOver()).isFalse();
    now.addAndGet(OpeningTime.AFTER_LOADING - 1);
    assertThat(opening.isOver()).isFalse();
    now.incrementAndGet();
    assertThat(opening.isOver()).isTrue();
  }

  @Test
  void aJvmThatNeverStopsLoadingClassesDoesNotExtendItForEver() {
    OpeningTime opening = opening(TIMEOUT);
    while (now.get() < OpeningTime.LONGEST_START) {
      assertThat(opening.isOver()).isFalse();
      classes.incrementAndGet();
      now.addAndGet(TIMEOUT);
    }
    assertThat(opening.isOver()).isTrue();
  }

  @Test
  void aConnectTimeoutThatIsLongerThanAnyStartIsKept() {
    long timeout = 2 * OpeningTime.LONGEST_START;
    OpeningTime opening = opening(timeout);
    now.addAndGet(timeout - 1);
    assertThat(opening.isOver()).isFalse();
    now.incrementAndGet();
    assertThat(opening.isOver()).isTrue();
  }

  private OpeningTime opening(long timeout) {
    return new OpeningTime(now::get, timeout, classes::get);
  }
}
