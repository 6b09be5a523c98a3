package io.leasehold.tck.history;

import java.util.Locale;

/** What came of a release. */
public enum Ending {
  /** The lease was held until then, and the server has confirmed it. */
  RELEASED,
  /** The lease had been lost before. */
  LOST,
  /** The server did not confirm it in time. */
  UNAVAILABLE,
  /** Anything else was thrown. */
  FAILED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
