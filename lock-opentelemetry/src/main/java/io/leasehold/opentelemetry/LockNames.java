package io.leasehold.opentelemetry;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What spans and metrics tell of a lock's name. Names often contain ids of orders or customers: as
 * attributes they would make a series of each, and carry data where nobody expects it. So they are
 * hidden unless asked for. Immutable.
 */
public final class LockNames {
  private static final LockNames HIDDEN = new LockNames(null, false);
  private static final LockNames FULL = new LockNames(UnaryOperator.identity(), false);
  private static final LockNames TEMPLATED = new LockNames(NameTemplate::of, true);

  private final @Nullable UnaryOperator<String> template;
  private final boolean measured;

  private LockNames(@Nullable UnaryOperator<String> template, boolean measured) {
    this.template = template;
    this.measured = measured;
  }

  /** Neither spans nor metrics tell a lock's name; the default. */
  public static LockNames hidden() {
    return HIDDEN;
  }

  /** Spans tell the name as it is; metrics do not, because each name would be a series for ever. */
  public static LockNames full() {
    return FULL;
  }

  /**
   * Spans and metrics tell the name with its changing parts replaced: {@code order:42} is {@code
   * order:{n}}. Numbers become <code>{n}</code>, UUIDs <code>{uuid}</code>, and words of eight or
   * more hexadecimal digits, at least one of them a decimal one, <code>{hex}</code>.
   */
  public static LockNames templated() {
    return TEMPLATED;
  }

  /**
   * Spans and metrics tell what a function of the application makes of the name. It should have few
   * results: metrics tell the first {@value SeriesCache#MOST_NAMES}, and {@value
   * LockConventions#OTHER} for all others, and where it throws.
   *
   * @param template called on the thread of each caller; fast, and thread-safe
   */
  public static LockNames template(UnaryOperator<String> template) {
    return new LockNames(template, true);
  }

  /** The name for spans; null when it is hidden. */
  @Nullable String shown(String lockName) {
    if (template == null) {
      return null;
    }
    try {
      return template.apply(lockName);
    } catch (RuntimeException e) {
      return LockConventions.OTHER; // a call is worth measuring under any name
    }
  }

  /** Whether metrics tell what spans show. */
  boolean isMeasured() {
    return measured;
  }
}
