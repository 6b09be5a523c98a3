package io.leasehold.tck.history;

import io.leasehold.LossReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One call that acquires, and the life of the lease that it got. All times are on the history's
 * clock. Immutable once the history has been read.
 */
public final class Acquisition {
  /** In the place of a time at which nothing happened. */
  static final long NEVER = Long.MIN_VALUE;

  final Recorded client;
  final long id;
  final LockKind kind;
  final int permits;
  final List<String> locks;
  final long waitNanos;
  final long called;

  long granted = NEVER;
  long token;
  long grantedValid;
  long refused = NEVER;
  @Nullable Refusal refusal;

  /** The last moment at which it was asked and said to be held. */
  long held = NEVER;

  /** The latest end of validity that it has told, and for how long it said so. */
  long validUntil = NEVER;

  long validFor;

  /** The first moment at which it had answered that it is over. */
  long ended = NEVER;

  long lost = NEVER;
  int timesLost;
  @Nullable LossReason reason;

  long release = NEVER;
  long releaseValid;
  boolean heldAtRelease;
  boolean overAtRelease;
  long released = NEVER;
  @Nullable Ending ending;
  @Nullable Acquisition downgradedFrom;

  Acquisition(
      Recorded client,
      long id,
      LockKind kind,
      int permits,
      List<String> locks,
      long waitNanos,
      long called) {
    this.client = client;
    this.id = id;
    this.kind = kind;
    this.permits = permits;
    this.locks = locks;
    this.waitNanos = waitNanos;
    this.called = called;
  }

  /** The process, as its recorder was told. */
  public String process() {
    return client.process;
  }

  /** The client: its process, and its number there. */
  public String client() {
    return client.toString();
  }

  /** What was acquired. */
  public LockKind kind() {
    return kind;
  }

  /** The names of the locks; more than one for a set. */
  public List<String> locks() {
    return locks;
  }

  /** When the call began. */
  public long calledNanos() {
    return called;
  }

  /** When the call had returned with a lease. */
  public OptionalLong grantedNanos() {
    return time(granted);
  }

  /** When the call had returned without a lease. */
  public OptionalLong refusedNanos() {
    return time(refused);
  }

  /** Why the call returned without a lease. */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** When its process was killed, which ended this call; empty when the call had returned. */
  public OptionalLong killedNanos() {
    return returned() == NEVER ? time(client.killed()) : OptionalLong.empty();
  }

  /** The lease's fencing token, where there is one. */
  public OptionalLong token() {
    return hasToken() ? OptionalLong.of(token) : OptionalLong.empty();
  }

  /** When the loss of the lease had been told. */
  public OptionalLong lostNanos() {
    return time(lost);
  }

  /** Why the lease was lost. */
  public Optional<LossReason> lossReason() {
    return Optional.ofNullable(reason);
  }

  /** When the lease's release, or downgrade, was called. */
  public OptionalLong releaseNanos() {
    return time(release);
  }

  /** When the release had returned. */
  public OptionalLong releasedNanos() {
    return time(released);
  }

  /** What came of the release. */
  public Optional<Ending> ending() {
    return Optional.ofNullable(ending);
  }

  /** Until when the lease was certainly held; empty when nothing was granted. */
  public OptionalLong claimedUntilNanos() {
    return isGranted() ? OptionalLong.of(Claims.end(this)) : OptionalLong.empty();
  }

  private static OptionalLong time(long nanos) {
    return nanos == NEVER ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  boolean hasToken;

  boolean hasToken() {
    return isGranted() && hasToken;
  }

  boolean isGranted() {
    return granted != NEVER;
  }

  /** When the call returned, with a lease or without; {@link #NEVER} when it did not. */
  long returned() {
    return isGranted() ? granted : refused;
  }

  boolean isSet() {
    return locks.size() > 1;
  }

  @Override
  public String toString() {
    return client + " call " + id;
  }
}
