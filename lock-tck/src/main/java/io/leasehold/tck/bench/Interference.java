package io.leasehold.tck.bench;

import io.leasehold.LockClient;

/**
 * Breaks the client side, for the kit's own negative controls. Not reachable from outside the kit.
 */
public interface Interference {

  /** Leaves everything as it is. */
  Interference NONE = new Interference() {};

  /** Changes how a client is opened: its clock, its taps. */
  default void before(Opening opening) {}

  /** Puts something around the client that was opened. */
  default LockClient after(LockClient client) {
    return client;
  }
}
