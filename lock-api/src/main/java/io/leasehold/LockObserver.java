package io.leasehold;

import io.leasehold.spi.NodeAnswer;
import java.util.List;

/**
 * Follows one acquisition, from its first attempt to the end of the lease. Exactly one of {@code
 * acquired} and {@code failed} is called; after {@code acquired}, exactly one of {@code released}
 * and {@code lost}, and before it {@code releasing} when the holder gave it back itself. All
 * methods do nothing by default.
 *
 * <p>When a lease is handed over to another call of the same client, the next holder may hear
 * {@code acquired} before the one that released hears {@code released}: they are told on their own.
 */
public interface LockObserver {

  /** Hears nothing, and is told nothing: a listener without interest in a call returns it. */
  LockObserver NONE = new LockObserver() {};

  /**
   * An attempt was answered with something other than a grant.
   *
   * @param moment when
   * @param outcome what the answer was
   * @param answers what each node said; one entry for a single server
   */
  default void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {}

  /** The call waits, in line behind others of this client or for a holder elsewhere. */
  default void waiting(Moment moment) {}

  /** A waiting call was woken by a release. */
  default void woken(Moment moment) {}

  /**
   * The lease was granted.
   *
   * @param moment when
   * @param token the fencing token; 0 where the layout has none
   * @param rounds the rounds of messages that the grant took
   * @param answers what each node of a quorum said
   */
  default void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {}

  /** The call ended without a lease: timed out, unavailable, interrupted, cancelled, closed. */
  default void failed(Moment moment, Throwable outcome) {}

  /** The lease was renewed. */
  default void renewed(Moment moment) {}

  /** A renewal was not confirmed; it is tried again while the lease is valid. */
  default void renewalFailed(Moment moment, List<NodeAnswer> answers) {}

  /** The holder gives the lease back; {@code released} or {@code lost} follows. */
  default void releasing(Moment moment) {}

  /** The server did not confirm a release; it is repeated in the background. */
  default void releaseFailed(Moment moment, List<NodeAnswer> answers) {}

  /** The lease was released by its holder. */
  default void released(Moment moment) {}

  /** The lease was lost. Called exactly once for each lease that is lost. */
  default void lost(Moment moment, LossReason reason) {}

  /** What an attempt was answered with, other than a grant. */
  enum AttemptOutcome {
    BUSY,
    GUARDED,
    EXPIRED,
    FAILED,
    /** Granted, but so late that nothing of its validity was left. */
    TOO_LATE
  }

  /**
   * When something happened, on both clocks.
   *
   * @param monotonicNanos for durations
   * @param wallMillis for showing
   */
  record Moment(long monotonicNanos, long wallMillis) {}
}
