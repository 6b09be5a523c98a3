package io.leasehold.tck.control;

import io.leasehold.LockObserver;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import java.util.List;

/** Passes everything on. */
class ForwardingObserver implements LockObserver {
  private final LockObserver observer;

  ForwardingObserver(LockObserver observer) {
    this.observer = observer;
  }

  @Override
  public void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
    observer.attempted(moment, outcome, answers);
  }

  @Override
  public void waiting(Moment moment) {
    observer.waiting(moment);
  }

  @Override
  public void woken(Moment moment) {
    observer.woken(moment);
  }

  @Override
  public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
    observer.acquired(moment, token, rounds, answers);
  }

  @Override
  public void failed(Moment moment, Throwable outcome) {
    observer.failed(moment, outcome);
  }

  @Override
  public void renewed(Moment moment) {
    observer.renewed(moment);
  }

  @Override
  public void renewalFailed(Moment moment, List<NodeAnswer> answers) {
    observer.renewalFailed(moment, answers);
  }

  @Override
  public void released(Moment moment) {
    observer.released(moment);
  }

  @Override
  public void lost(Moment moment, LossReason reason) {
    observer.lost(moment, reason);
  }
}
