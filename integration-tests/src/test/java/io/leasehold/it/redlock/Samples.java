package io.leasehold.it.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long acquiring and releasing took, in nanoseconds, round by round. For one thread.
 *
 * <p>What else runs on a machine can only make a round slower. So each round counts with its
 * median, and of these the lower quartile is what the code itself takes.
 */
final class Samples {
  private final List<Double> acquire = new ArrayList<>();
  private final List<Double> release = new ArrayList<>();
  private final List<Long> acquired = new ArrayList<>();
  private final List<Long> released = new ArrayList<>();

  void add(long acquireNanos, long releaseNanos) {
    acquired.add(acquireNanos);
    released.add(releaseNanos);
  }

  void endRound() {
    acquire.add(quantile(acquired.stream().map(Long::doubleValue).toList(), 0.5));
    release.add(quantile(released.stream().map(Long::doubleValue).toList(), 0.5));
    acquired.clear();
    released.clear();
  }

  Duration medianAcquire() {
    return Duration.ofNanos((long) quantile(acquire, 0.5));
  }

  Duration medianRelease() {
    return Duration.ofNanos((long) quantile(release, 0.5));
  }

  /** How many times as long as the other acquiring took. */
  double acquireTimes(Samples other, String what) {
    return times(what + ": acquire", acquire, other.acquire);
  }

  /** How many times as long as the other releasing took. */
  double releaseTimes(Samples other, String what) {
    return times(what + ": release", release, other.release);
  }

  private static double times(String what, List<Double> these, List<Double> those) {
    double ratio = quantile(these, 0.25) / quantile(those, 0.25);
    System.out.printf(
        Locale.ROOT,
        "%s %.0f us against %.0f us: %.2f times (median round %.0f against %.0f)%n",
        what,
        quantile(these, 0.25) / 1e3,
        quantile(those, 0.25) / 1e3,
        ratio,
        quantile(these, 0.5) / 1e3,
        quantile(those, 0.5) / 1e3);
    return ratio;
  }

  private static double quantile(List<Double> values, double share) {
    return values.stream().sorted().toList().get((int) (values.size() * share));
  }
}
