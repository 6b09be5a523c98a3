package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ValidityTest {
  private final HandSetTime time = new HandSetTime();
  private final Validity validity = new Validity(time.monotonicNanos(), time.wallMillis(), 10_000);

  private Duration remaining() {
    return Duration.ofNanos(validity.remainingNanos(time));
  }

  @Test
  void driftIsOnePercentAndTwoMilliseconds() {
    assertThat(remaining()).isEqualTo(Duration.ofMillis(10_000 - 100 - 2));
  }

  @Test
  void elapsedTimeIsSubtracted() {
    time.advance(Duration.ofSeconds(4));
    assertThat(remaining()).isEqualTo(Duration.ofMillis(5_898));
  }

  @Test
  void aSuspendedMachineIsNoticedByItsWallClock() {
    time.stepWallClock(Duration.ofSeconds(60)); // the monotonic clock stood still
    assertThat(remaining()).isNegative();
  }

  @Test
  void aWallClockThatIsSetBackProlongsNothing() {
    time.advance(Duration.ofSeconds(4));
    time.stepWallClock(Duration.ofHours(-1));
    assertThat(remaining()).isEqualTo(Duration.ofMillis(5_898));
  }

  @Test
  void itEndsOnTheMonotonicClockWhenNothingRemains() {
    time.advance(Duration.ofNanos(validity.endNanos() - time.monotonicNanos()));
    assertThat(remaining()).isZero();
  }
}
