package io.leasehold.spi;

/**
 * Semaphores, offered by a node with {@link Capability#SEMAPHORES}: up to a number of permits are
 * held at the same time, each with a lease of its own. A semaphore and a lock of the same name have
 * nothing to do with each other.
 */
public interface Semaphores {

  /** The most permits that a semaphore can have. */
  int MOST_PERMITS = 100_000;

  /**
   * A view of the node, with all the rules of {@link LockNode}, that grants a permit while fewer
   * than so many are held, whoever holds them. The number is the asker's, and is not stored: with
   * another number the next grant goes by that, and permits that are held are never taken away. It
   * declares what the node does of {@link Capability#FENCING}, {@link Capability#WAKE_UPS} and
   * {@link Capability#GUARD}, and nothing else unless it serves it. Tokens strictly grow in the
   * order of grants. Views are cheap to make, and end with the node.
   *
   * @param permits between 1 and {@link #MOST_PERMITS}
   */
  LockNode permits(int permits);
}
