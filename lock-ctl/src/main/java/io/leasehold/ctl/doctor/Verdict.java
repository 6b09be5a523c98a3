package io.leasehold.ctl.doctor;

import java.util.Locale;

/** What a finding means, in rising order of weight. */
enum Verdict {
  /** As it should be. */
  OK("✓"),
  /** Could not be found out. */
  UNKNOWN("?"),
  /** Locks work, with less than they could promise, or with little reserve. */
  WARN("!"),
  /** A lock may be held twice, or cannot be had. */
  BAD("✗");

  private final String sign;

  Verdict(String sign) {
    this.sign = sign;
  }

  String sign() {
    return sign;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
