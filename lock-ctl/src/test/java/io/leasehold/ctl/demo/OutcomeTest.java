package io.leasehold.ctl.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the demo makes of sums. */
class OutcomeTest {

  private static Outcome outcome(boolean promised, long grabbed, long left, boolean shown) {
    return new Outcome("tried", promised, 3, 1_000, grabbed, left, shown, "");
  }

  @Test
  void aCentTooManyOrTooFewBreaksAPromise() {
    assertThat(outcome(true, 400, 600, true).asExpected()).isTrue();
    for (long left : new long[] {599, 601}) {
      assertThat(outcome(true, 400, left, true).asExpected()).isFalse();
      assertThat(outcome(true, 400, left, true).verdict()).contains("BROKEN");
    }
  }

  @Test
  void aSumThatIsRightByLuckShowsNothing() {
    assertThat(outcome(false, 400, 600, true).asExpected()).isFalse();
    assertThat(outcome(false, 400, 600, true).verdict()).contains("by luck");
    assertThat(outcome(false, 400, 700, true).verdict()).contains("made");
    assertThat(outcome(false, 400, 500, true).verdict()).contains("lost");
  }

  @Test
  void aSumThatIsRightIsNotEnoughWhenNobodyGrabbedAfterTheKill() {
    assertThat(outcome(true, 400, 600, false).asExpected()).isFalse();
  }

  @Test
  void moneyIsWrittenWithCents() {
    assertThat(Outcome.money(123_456)).endsWith("1234.56");
    assertThat(Outcome.money(-5)).startsWith("-").endsWith("0.05");
  }
}
