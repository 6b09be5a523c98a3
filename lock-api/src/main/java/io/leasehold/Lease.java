package io.leasehold;

import io.leasehold.spi.NodeAnswer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * One acquisition of a lock: its own owner id, its own fencing token, its own end. It belongs to
 * the object that represents it, not to a thread.
 *
 * <p>Thread-safe. A lease that has ended stays ended: it never comes back.
 */
public interface Lease extends AutoCloseable {

  /** The lock's name, without the client's prefix. */
  String lockName();

  /**
   * A number that is larger than that of every earlier lease of this lock. Send it with each write;
   * a store that refuses smaller numbers than it has seen is safe even from a holder that sleeps
   * through the end of its lease.
   *
   * @return a number in (0, 2⁵³); the same for the whole life of the lease, also after its end
   * @throws LockCapabilityException when the provider or its layout has no tokens
   */
  long fencingToken();

  /**
   * What each node of a quorum said to the request that granted this lease: granted, busy, guarded,
   * failed, or not awaited because the outcome was clear without it. The same for the whole life of
   * the lease. Empty on a single server.
   */
  List<NodeAnswer> votes();

  /**
   * How much longer this lease is certainly valid, if nothing else happens: lease time − time since
   * before the granting or renewing request was sent − allowance for clock drift. Zero once it has
   * ended. Never optimistic.
   */
  Duration remaining();

  /** Whether the lease is held now. Asks no server. */
  boolean isHeld();

  /**
   * Does nothing while the lease is held.
   *
   * @throws LeaseLostException when the lease was lost
   * @throws IllegalStateException when it was released
   */
  void ensureHeld();

  /**
   * Calls the handler once if the lease is lost, with the reason; at once if it already has been.
   * Never called for a lease that was released. Runs on a thread of the client's, apart from
   * renewals and timers: a handler that throws or blocks harms no lease.
   */
  void onLost(Consumer<? super LeaseLoss> handler);

  /**
   * Gives the lock back. Calling again returns the same result and sends nothing. Works also on an
   * interrupted thread, and keeps the interrupt flag.
   *
   * @return {@link ReleaseResult#LOST} when the lease had been lost before
   * @throws LockUnavailableException when the server did not confirm it in time. The lease is over
   *     all the same: the release is repeated in the background, and the lock ends by itself when
   *     its lease time is over.
   */
  ReleaseResult release();

  /** As {@link #release()}, but never throws: neither for a loss nor for a silent server. */
  @Override
  void close();
}
