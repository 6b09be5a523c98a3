package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerClockEstimateTest {
  private static final long OFFSET = 77_000_000;
  private final HandSetTime time = new HandSetTime();
  private final ServerClockEstimate estimate = new ServerClockEstimate(time);

  private long server() {
    return OFFSET + time.monotonicNanos() / 1_000;
  }

  private void replyAfter(Duration network) {
    long shown = server();
    time.advance(network);
    estimate.learn(new Expired(shown));
  }

  @Test
  void beforeTheFirstReplyThereIsNoDeadlineAndTheOwnClockStandsIn() {
    assertThat(estimate.deadlineIn(1)).isEqualTo(GrantRequest.NO_DEADLINE);
    assertThat(estimate.nowMicros()).isEqualTo(time.wallMillis() * 1_000);
  }

  @Test
  void aDeadlineIsNeverLaterThanTheClientsOwn() {
    replyAfter(Duration.ofMillis(40));
    replyAfter(Duration.ofMillis(3));
    replyAfter(Duration.ofMillis(90));
    long clientGivesUp = server() + 500_000;
    assertThat(estimate.deadlineIn(500_000_000L))
        .isLessThanOrEqualTo(clientGivesUp)
        .isGreaterThanOrEqualTo(clientGivesUp - 3_000); // the fastest reply bounds the error
  }

  @Test
  void aReplyThatDoesNotTellTheClockTeachesNothing() {
    estimate.learn(new Released(ServerClock.UNKNOWN));
    assertThat(estimate.isKnown()).isFalse();
    replyAfter(Duration.ZERO);
    estimate.learn(new Released(ServerClock.UNKNOWN));
    assertThat(estimate.nowMicros()).isEqualTo(server());
  }

  @Test
  void aServerWhoseClockWasSetBackIsBelieved() {
    replyAfter(Duration.ofMillis(1));
    long setBack = server() - 10_000_000;
    estimate.learn(new Expired(setBack));
    assertThat(estimate.nowMicros()).isEqualTo(setBack);
  }

  @Test
  void aServerWhoseClockWasSetForwardIsBelieved() {
    replyAfter(Duration.ofMillis(1));
    long setForward = server() + 3_600_000_000L;
    estimate.learn(new Expired(setForward));
    assertThat(estimate.nowMicros()).isEqualTo(setForward);
  }
}
