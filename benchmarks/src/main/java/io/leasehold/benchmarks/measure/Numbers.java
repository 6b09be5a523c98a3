package io.leasehold.benchmarks.measure;

import java.util.Collection;

/** Percentiles and medians. What has no samples is not a number. */
public final class Numbers {
  private Numbers() {}

  /**
   * The smallest sample that at least this share of all samples does not exceed.
   *
   * @param share over 0, up to 1
   */
  public static double percentile(Samples samples, double share) {
    if (share <= 0 || share > 1) {
      throw new IllegalArgumentException("not a share: " + share);
    }
    if (samples.size() == 0) {
      return Double.NaN;
    }
    long[] sorted = samples.stream().sorted().toArray();
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }

  /** The middle one; the mean of the middle two where there is none. NaN are left out. */
  public static double median(Collection<Double> values) {
    double[] sorted =
        values.stream()
            .mapToDouble(Double::doubleValue)
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Their mean. */
  public static double mean(Samples samples) {
    return samples.stream().average().orElse(Double.NaN);
  }
}
