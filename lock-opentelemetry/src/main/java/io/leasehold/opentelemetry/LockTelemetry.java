package io.leasehold.opentelemetry;

import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * Traces and measures every lock call with an OpenTelemetry that the application gives.
 * Thread-safe; one may serve many clients.
 *
 * <pre>{@code
 * LockClient locks = Locks.builder().url(url).listener(LockTelemetry.create(openTelemetry)).open();
 * }</pre>
 *
 * <p>A client that has one tells everything to it alone: {@link GlobalLockTelemetry}, which is
 * found on the class path, stays out of that client's calls.
 *
 * <p>When neither spans nor metrics are wanted by anybody, as with {@link OpenTelemetry#noop()}, a
 * call is not followed at all.
 */
public final class LockTelemetry implements LockListener {
  private final Tracer tracer;
  private final Instruments instruments;
  private final LockNames names;
  private final boolean noop;
  private final SeriesCache series = new SeriesCache();

  LockTelemetry(OpenTelemetry openTelemetry, LockNames names) {
    @Nullable String version = Version.OF_THIS_MODULE;
    var tracers = openTelemetry.tracerBuilder(LockConventions.SCOPE);
    var meters = openTelemetry.meterBuilder(LockConventions.SCOPE);
    if (version != null) {
      tracers.setInstrumentationVersion(version);
      meters.setInstrumentationVersion(version);
    }
    this.tracer = tracers.build();
    this.instruments = new Instruments(meters.build());
    this.names = names;
    this.noop = openTelemetry == OpenTelemetry.noop();
  }

  private boolean isWanted() {
    return ApiAge.TELLS_INTEREST ? tracer.isEnabled() || instruments.isEnabled() : !noop;
  }

  /** With the names of locks hidden. */
  public static LockTelemetry create(OpenTelemetry openTelemetry) {
    return builder(openTelemetry).build();
  }

  /** For what may be chosen. */
  public static LockTelemetryBuilder builder(OpenTelemetry openTelemetry) {
    return new LockTelemetryBuilder(openTelemetry);
  }

  @Override
  public boolean supersedes(LockListener found) {
    return found instanceof GlobalLockTelemetry;
  }

  /** Follows the call, if anybody wants to know. */
  @Override
  public LockObserver start(AcquireCall call) {
    if (!isWanted()) {
      return LockObserver.NONE;
    }
    String name = names.shown(call.lockName());
    Series its = series.of(call, names.isMeasured() ? name : null);
    Timeline timeline = Timeline.from(call.moment());
    CallSpans spans = new CallSpans(tracer, new ShownCall(call, its.common(), name), timeline);
    return new CallObserver(call.node(), timeline, spans, new CallMeasures(instruments, its));
  }
}
