package io.leasehold.tck.history;

import java.util.Locale;

/** Why a call returned without a lease. */
public enum Refusal {
  /** Somebody else held the lock all the time, it says. */
  BUSY,
  /** Nobody could say whether the lock is free. */
  UNAVAILABLE,
  /** The client was closed. */
  CLOSED,
  /** The thread was interrupted. */
  INTERRUPTED,
  /** The caller cancelled its future. */
  CANCELLED,
  /** A lease that was to be turned into another one had been lost. */
  LOST,
  /** Anything else. */
  FAILED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
