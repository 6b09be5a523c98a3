package io.leasehold.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;

/** Builds a {@link LockTelemetry}. Not thread-safe. */
public final class LockTelemetryBuilder {
  private final OpenTelemetry openTelemetry;
  private LockNames lockNames = LockNames.hidden();

  LockTelemetryBuilder(OpenTelemetry openTelemetry) {
    this.openTelemetry = openTelemetry;
  }

  /** What spans and metrics tell of a lock's name; nothing by default. */
  public LockTelemetryBuilder lockNames(LockNames value) {
    lockNames = value;
    return this;
  }

  /** Makes it, with its tracer and its instruments. */
  public LockTelemetry build() {
    return new LockTelemetry(openTelemetry, lockNames);
  }
}
