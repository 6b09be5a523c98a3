package io.leasehold.engine;

/** The place of one waiting call in the line for a lock. */
abstract class Place {
  /**
   * Something has changed: this place may have come to the front, its time to try may have come,
   * the client may have been closed. Called from any thread; must be short and never block.
   */
  abstract void look();

  /** A release may have freed the lock, and this place is in front. */
  void woken() {}
}
