package io.leasehold;

/**
 * Hears of every acquisition. Found by {@link java.util.ServiceLoader}, or given to {@link
 * LocksBuilder#listener}.
 *
 * <p>{@link #start} is called on the caller's thread, before anything is sent, so that a tracer
 * finds its parent there; it returns an observer that gets everything later. Observers are called
 * one at a time, in order, from a thread of the client's that does nothing else: one that throws is
 * logged once and goes on being called; one that blocks delays only observers, and once {@value
 * #BACKLOG} events are waiting further ones are dropped, which is logged once. Times are taken when
 * things happen, not when they are told.
 */
public interface LockListener {

  /** How many events may wait for a slow observer. */
  int BACKLOG = 65_536;

  /**
   * A call that acquires has begun. Must not block: the caller waits for it. Throwing harms nobody.
   */
  LockObserver start(AcquireCall call);

  /**
   * This client has taken a lock away from its holder. Called on the caller's thread; must not
   * block. Throwing harms nobody.
   *
   * @param before what was known about the lock before
   * @param why as the caller said
   */
  default void forced(LockStatus before, String why) {}

  /**
   * Whether a listener that was found on the class path has nothing to do in a client that was
   * given this one, because it would tell everything twice.
   *
   * @param found the one that was found
   */
  default boolean supersedes(LockListener found) {
    return false;
  }

  /**
   * A call that acquires.
   *
   * @param lockName the lock's name, without the client's prefix; of several locks, all of them
   * @param kind what is acquired
   * @param provider the provider's name, as a URL has it: {@code lettuce}, {@code redlock}
   * @param topology how its servers work together: {@code standalone}, {@code sentinel}, {@code
   *     cluster}, {@code quorum}, {@code memory}; {@code unknown} when the provider does not tell
   * @param node the label of the node that serves it, with hosts and ports
   * @param waitMillis how long the caller is willing to wait
   * @param mode how the caller waits
   * @param moment when it began, on the clocks on which its observer is told everything later
   */
  record AcquireCall(
      String lockName,
      Kind kind,
      String provider,
      String topology,
      String node,
      long waitMillis,
      Mode mode,
      LockObserver.Moment moment) {

    /** What is acquired. */
    public enum Kind {
      LOCK,
      READ_LOCK,
      WRITE_LOCK,
      PERMIT,
      /** Several locks at once. */
      SEVERAL
    }

    /** How a caller waits. */
    public enum Mode {
      BLOCKING,
      ASYNC
    }
  }
}
