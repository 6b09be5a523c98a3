package io.leasehold.engine;

import io.leasehold.spi.Granted;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The place of one call in the line for a lock. Its state says whose move it is: whoever changes it
 * takes the step that follows.
 */
abstract class Place {

  enum State {
    /** The call has a request under way, or is about to send one. */
    ASKING,
    /** The call waits for its turn, or for a lease of this client that is handed over to it. */
    WAITING,
    /** A lease of this client is being handed over to the call. */
    PROMISED,
    /** The answer to that is there, and the call has not looked at it yet. */
    SERVED,
    /** The call has ended. */
    DONE
  }

  private static final AtomicReferenceFieldUpdater<Place, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(Place.class, State.class, "state");

  final Acquisition call;

  // Its neighbours in line. Guarded by the line.
  @Nullable Place before;
  @Nullable Place behind;

  private volatile State state = State.ASKING;

  Place(Acquisition call) {
    this.call = call;
  }

  final State state() {
    return state;
  }

  final boolean move(State from, State to) {
    return STATE.compareAndSet(this, from, to);
  }

  /** Ends the call, and tells what it was about. */
  final State end() {
    return STATE.getAndSet(this, State.DONE);
  }

  /**
   * Something has changed: this place may have come to the front, its time to try may have come,
   * the client may have been closed. Called from any thread; must be short and never block.
   */
  abstract void look();

  /** A release may have freed the lock, and this place is in front. */
  void woken() {}

  /**
   * The lock that was promised has been handed over to this call. Called from any thread; must be
   * short and never block.
   *
   * @return false when the call has ended meanwhile: what was granted is the caller's to release
   */
  abstract boolean serve(Attempt attempt, Granted granted);

  /** Nothing came of what was promised: the call waits as before. */
  final void unpromise() {
    if (move(State.PROMISED, State.WAITING)) {
      look();
    }
  }
}
