package io.leasehold.opentelemetry;

import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Units;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;

/** The instruments, made once for each meter. */
final class Instruments {
  /** From a lock in memory to the longest that callers usually wait. */
  private static final List<Double> ACQUIRE_SECONDS =
      List.of(
          0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0,
          2.5, 5.0, 10.0, 30.0, 60.0);

  /** From a few instructions to jobs of an hour. */
  private static final List<Double> HOLD_SECONDS =
      List.of(
          0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0,
          1800.0, 3600.0);

  final DoubleHistogram acquireDuration;
  final DoubleHistogram holdDuration;
  final LongUpDownCounter held;
  final LongUpDownCounter waiting;
  final LongCounter renewals;
  final LongCounter losses;
  final LongCounter wakeups;
  final LongCounter votes;

  Instruments(Meter meter) {
    acquireDuration =
        histogram(
            meter, Metrics.ACQUIRE_DURATION, "How long calls that acquire took.", ACQUIRE_SECONDS);
    holdDuration =
        histogram(meter, Metrics.HOLD_DURATION, "How long leases were held.", HOLD_SECONDS);
    held = upDown(meter, Metrics.HELD, Units.LEASES, "Leases held now.");
    waiting = upDown(meter, Metrics.WAITING, Units.CALLS, "Calls waiting now.");
    renewals = counter(meter, Metrics.RENEWALS, Units.RENEWALS, "Renewals of leases.");
    losses = counter(meter, Metrics.LOSSES, Units.LEASES, "Leases lost.");
    wakeups = counter(meter, Metrics.WAKEUPS, Units.WAKEUPS, "Waiting calls woken by a release.");
    votes =
        counter(meter, Metrics.VOTES, Units.VOTES, "Answers of a quorum's members to requests.");
  }

  /** Whether anybody wants any of the measurements. */
  boolean isEnabled() {
    return acquireDuration.isEnabled()
        || holdDuration.isEnabled()
        || held.isEnabled()
        || waiting.isEnabled()
        || renewals.isEnabled()
        || losses.isEnabled()
        || wakeups.isEnabled()
        || votes.isEnabled();
  }

  private static DoubleHistogram histogram(
      Meter meter, String name, String description, List<Double> boundaries) {
    return meter
        .histogramBuilder(name)
        .setUnit(Units.SECONDS)
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(boundaries)
        .build();
  }

  private static LongUpDownCounter upDown(
      Meter meter, String name, String unit, String description) {
    return meter.upDownCounterBuilder(name).setUnit(unit).setDescription(description).build();
  }

  private static LongCounter counter(Meter meter, String name, String unit, String description) {
    return meter.counterBuilder(name).setUnit(unit).setDescription(description).build();
  }
}
