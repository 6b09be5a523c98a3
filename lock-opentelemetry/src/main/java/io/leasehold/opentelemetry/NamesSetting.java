package io.leasehold.opentelemetry;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the environment says about names of locks. */
final class NamesSetting {
  private static final System.Logger LOG = System.getLogger("io.leasehold.opentelemetry");

  private NamesSetting() {}

  static LockNames read() {
    return read(
        System.getProperty(GlobalLockTelemetry.NAMES_PROPERTY),
        System.getenv(GlobalLockTelemetry.NAMES_VARIABLE));
  }

  /**
   * @param property wins when it is there
   */
  static LockNames read(@Nullable String property, @Nullable String variable) {
    String value = property != null ? property : variable;
    if (value == null) {
      return LockNames.hidden();
    }
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "", "hidden" -> LockNames.hidden();
      case "templated" -> LockNames.templated();
      case "full" -> LockNames.full();
      default -> {
        LOG.log(
            System.Logger.Level.WARNING,
            "LH-220 {0} is ''{1}''; it may be hidden, templated or full. Names of locks are hidden.",
            GlobalLockTelemetry.NAMES_PROPERTY,
            value);
        yield LockNames.hidden();
      }
    };
  }
}
