package io.leasehold.opentelemetry;

import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Traces and measures every lock call with the global OpenTelemetry; found by {@link
 * java.util.ServiceLoader}, so that a jar on the class path is all it takes. One belongs to one
 * client. Thread-safe.
 *
 * <p>It is silent, and costs a look or two at each call, as long as no global OpenTelemetry is set:
 * it never sets one, and uses one that is set later from then on. It has no part in a client that
 * was given a {@link LockTelemetry}: nothing is told twice.
 *
 * <p>What it tells of names of locks is said by the system property {@value #NAMES_PROPERTY}, or
 * the environment variable {@value #NAMES_VARIABLE}: {@code hidden} (the default), {@code
 * templated} or {@code full}; see {@link LockNames}.
 */
public final class GlobalLockTelemetry implements LockListener {
  /** The system property that says what is told of names of locks. */
  public static final String NAMES_PROPERTY = "leasehold.otel.lock-names";

  /** The environment variable that says it, when the property does not. */
  public static final String NAMES_VARIABLE = "LEASEHOLD_OTEL_LOCK_NAMES";

  private static final System.Logger LOG = System.getLogger("io.leasehold.opentelemetry");
  private static final AtomicBoolean COMPLAINED = new AtomicBoolean();

  private final AtomicReference<@Nullable LockTelemetry> telemetry = new AtomicReference<>();
  private final LockNames names;

  /** As the system property or the environment says. */
  public GlobalLockTelemetry() {
    this(NamesSetting.read());
  }

  GlobalLockTelemetry(LockNames names) {
    this.names = names;
  }

  @Override
  public LockObserver start(AcquireCall call) {
    if (!ApiAge.TELLS_GLOBAL) {
      complain();
      return LockObserver.NONE;
    }
    LockTelemetry known = telemetry.get();
    if (known == null) {
      if (!GlobalOpenTelemetry.isSet()) {
        return LockObserver.NONE;
      }
      known = new LockTelemetry(GlobalOpenTelemetry.getOrNoop(), names);
      if (!telemetry.compareAndSet(null, known)) {
        return start(call); // another thread was faster
      }
    }
    return known.start(call);
  }

  private static void complain() {
    if (COMPLAINED.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "LH-221 the OpenTelemetry API on the class path is too old to be asked for its global:"
              + " lock calls are not traced unless a client is given a LockTelemetry");
    }
  }
}
