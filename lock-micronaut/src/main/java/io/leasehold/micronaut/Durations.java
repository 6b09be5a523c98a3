package io.leasehold.micronaut;

import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.OptionKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/**
 * Durations as annotations have them, the same at build time and at run time: as in a lock URL, or
 * ISO 8601.
 */
final class Durations {
  /** Of any length that means something; what is too long for a lock its client says. */
  private static final OptionKey<Duration> AS_IN_A_URL =
      OptionKey.duration(
          "duration", Optional.empty(), Duration.ZERO, Duration.ofSeconds(999_999_999_999_999L));

  private Durations() {}

  /**
   * @throws IllegalArgumentException when the text is no duration, or a negative one
   */
  static Duration parse(String text) {
    try {
      return AS_IN_A_URL.parse(text);
    } catch (InvalidConfigurationException e) {
      return iso(text);
    }
  }

  private static Duration iso(String text) {
    try {
      Duration duration = Duration.parse(text);
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a duration: write 500ms, 5s, 2m, 1h, 1d or PT5S");
  }
}
