package io.leasehold.campaign;

/**
 * A fault that is aimed at somebody.
 *
 * @param target whom it is for, by the name in the history
 * @param strike begins it
 */
record Attack(String target, Strike strike) {

  /** Begins a fault. */
  interface Strike {
    /** Begins it, and tells how it is healed; healing may be tried again when it fails. */
    Runnable begin() throws InterruptedException;
  }

  /** What there is to heal of a fault that is over as it begins. */
  static final Runnable OVER = () -> {};
}
