package io.leasehold.ctl.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.ctl.CommandFailure;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimesTest {
  private static Times of(int leaseSeconds) {
    return Times.of(Duration.ofSeconds(leaseSeconds), Optional.empty());
  }

  @Test
  void asksLateEnoughForRenewalsAndEarlyEnoughForTheGrace() {
    for (int lease : new int[] {1, 2, 5, 30, 60, 3_600}) {
      Times times = of(lease);
      // A lease is renewed when two thirds of it are left.
      assertThat(times.askWithin()).isLessThan(times.lease().multipliedBy(6).dividedBy(10));
      assertThat(times.askWithin()).isEqualTo(times.grace().plus(times.margin()));
      assertThat(times.margin()).isPositive();
      assertThat(times.look()).isLessThan(times.askWithin());
    }
    assertThat(of(30))
        .isEqualTo(new Times(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(1)));
  }

  @Test
  void aGraceThatLeavesNoTimeForRenewalsIsRefused() {
    Optional<Duration> third = Optional.of(Duration.ofSeconds(10));
    assertThat(Times.of(Duration.ofSeconds(30), third).grace()).isEqualTo(third.get());
    assertThatThrownBy(() -> Times.of(Duration.ofSeconds(29), third))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("third");
    assertThatThrownBy(() -> Times.of(Duration.ofMillis(999), Optional.empty()))
        .isInstanceOf(CommandFailure.class);
  }
}
