package io.leasehold.benchmarks.report;

import java.util.Locale;

/**
 * Something that must be seen, and what was seen.
 *
 * @param what what is measured, for people
 * @param bound on which side of the limit it has to be
 * @param measured NaN if it was not measured
 */
public record Target(String what, Bound bound, double limit, double measured) {

  /** Which side of a limit is good. */
  public enum Bound {
    AT_MOST("at most"),
    AT_LEAST("at least"),
    EXACTLY("exactly");

    private final String words;

    Bound(String words) {
      this.words = words;
    }
  }

  /** What came of it. */
  public enum Verdict {
    MET("met"),
    NOT_MET("**not met**"),
    NOT_MEASURED("not measured");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** Whether it was met. A number is taken as it is shown: 2.004 round trips are 2.00. */
  public Verdict verdict() {
    if (Double.isNaN(measured)) {
      return Verdict.NOT_MEASURED;
    }
    double shown = Math.round(measured * 100) / 100.0;
    boolean met =
        switch (bound) {
          case AT_MOST -> shown <= limit;
          case AT_LEAST -> shown >= limit;
          case EXACTLY -> shown == limit;
        };
    return met ? Verdict.MET : Verdict.NOT_MET;
  }

  /** The limit, in words. */
  public String limitText() {
    return bound.words + " " + number(limit);
  }

  /** What was measured. */
  public String measuredText() {
    return Double.isNaN(measured) ? "" : number(measured);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.2f", value);
  }
}
