package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LossReason;
import org.junit.jupiter.api.Test;

class LeaseStateTest {
  private final LeaseState state = new LeaseState();

  @Test
  void aLossIsToldToWhoeverRegisteredAndOnlyOnce() {
    assertThat(state.onLost(reason -> {})).isNull();
    assertThat(state.lose(LossReason.EXPIRED)).hasSize(1);
    assertThat(state.lose(LossReason.TAKEN)).isNull();
    assertThat(state.lossReason()).isEqualTo(LossReason.EXPIRED);
  }

  @Test
  void aHandlerThatComesTooLateIsToldTheReasonAtOnce() {
    assertThat(state.lose(LossReason.FORCED)).isEmpty();
    assertThat(state.onLost(reason -> {})).isEqualTo(LossReason.FORCED);
  }

  @Test
  void aReleasedLeaseCannotBeLost() {
    assertThat(state.beginRelease()).isTrue();
    assertThat(state.beginRelease()).isFalse();
    assertThat(state.lose(LossReason.EXPIRED)).isNull();
    state.finishRelease();
    assertThat(state.isReleased()).isTrue();
    assertThat(state.loseWhileReleasing(LossReason.TAKEN)).isNull();
  }

  @Test
  void aReleaseMayFindOutThatTheLeaseWasLost() {
    assertThat(state.onLost(reason -> {})).isNull();
    assertThat(state.beginRelease()).isTrue();
    assertThat(state.loseWhileReleasing(LossReason.TAKEN)).hasSize(1);
    state.finishRelease();
    assertThat(state.isReleased()).isFalse();
    assertThat(state.lossReason()).isEqualTo(LossReason.TAKEN);
  }
}
