package io.leasehold.opentelemetry;

import io.leasehold.LockObserver;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import java.util.List;

/**
 * Follows one call with spans and metrics. It takes nothing that comes too late or twice, so that
 * what is counted up is counted down once. Called by one thread at a time.
 */
final class CallObserver implements LockObserver {
  private enum Stage {
    ASKING,
    HOLDING,
    OVER
  }

  private final String node;
  private final Timeline timeline;
  private final CallSpans spans;
  private final CallMeasures measures;
  private Stage stage = Stage.ASKING;
  private long heldSince;
  private boolean unconfirmed;

  /**
   * @param node the label of the node that serves the call
   */
  CallObserver(String node, Timeline timeline, CallSpans spans, CallMeasures measures) {
    this.node = node;
    this.timeline = timeline;
    this.spans = spans;
    this.measures = measures;
  }

  @Override
  public void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
    if (stage == Stage.ASKING) {
      Votes votes = Votes.in(answers, node);
      spans.attempted(moment, outcome, votes);
      measures.voted(votes, spans.acquiring());
    }
  }

  @Override
  public void waiting(Moment moment) {
    if (stage == Stage.ASKING) {
      spans.waiting(moment);
      measures.waiting(spans.acquiring());
    }
  }

  @Override
  public void woken(Moment moment) {
    if (stage == Stage.ASKING) {
      spans.woken(moment);
      measures.woken(spans.acquiring());
    }
  }

  @Override
  public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
    if (stage == Stage.ASKING) {
      stage = Stage.HOLDING;
      heldSince = timeline.sinceStart(moment);
      Votes votes = Votes.in(answers, node);
      spans.acquired(moment, token, rounds, votes);
      measures.voted(votes, spans.acquiring());
      measures.ended(Outcome.ACQUIRED, null, heldSince, spans.acquiring());
      measures.held(spans.holding());
    }
  }

  @Override
  public void failed(Moment moment, Throwable failure) {
    if (stage == Stage.ASKING) {
      stage = Stage.OVER;
      Outcome outcome = Outcome.of(failure);
      spans.failed(moment, outcome, failure);
      measures.ended(outcome, failure, timeline.sinceStart(moment), spans.acquiring());
    }
  }

  @Override
  public void renewed(Moment moment) {
    if (stage == Stage.HOLDING) {
      spans.renewed(moment);
      measures.renewal(true, spans.holding());
    }
  }

  @Override
  public void renewalFailed(Moment moment, List<NodeAnswer> answers) {
    if (stage == Stage.HOLDING) {
      spans.renewalFailed(moment, Votes.in(answers, node));
      measures.renewal(false, spans.holding());
    }
  }

  @Override
  public void releasing(Moment moment) {
    if (stage == Stage.HOLDING) {
      spans.releasing(moment);
    }
  }

  @Override
  public void releaseFailed(Moment moment, List<NodeAnswer> answers) {
    if (stage == Stage.HOLDING) {
      unconfirmed = true;
      spans.releaseFailed(Votes.in(answers, node));
    }
  }

  @Override
  public void released(Moment moment) {
    if (stage == Stage.HOLDING) {
      stage = Stage.OVER;
      LeaseEnd end = unconfirmed ? LeaseEnd.UNCONFIRMED : LeaseEnd.RELEASED;
      spans.released(moment, end);
      measures.noLongerHeld(end, heldFor(moment), spans.holding());
    }
  }

  @Override
  public void lost(Moment moment, LossReason reason) {
    if (stage == Stage.HOLDING) {
      stage = Stage.OVER;
      spans.lost(moment, reason);
      measures.lost(reason, spans.holding());
      measures.noLongerHeld(LeaseEnd.LOST, heldFor(moment), spans.holding());
    }
  }

  private long heldFor(Moment moment) {
    return Math.max(0, timeline.sinceStart(moment) - heldSince);
  }
}
