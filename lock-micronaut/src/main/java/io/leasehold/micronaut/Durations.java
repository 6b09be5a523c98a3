package io.leasehold.micronaut;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as annotations have them: the same at build time and at run time. */
final class Durations {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms",
          ChronoUnit.MILLIS,
          "s",
          ChronoUnit.SECONDS,
          "m",
          ChronoUnit.MINUTES,
          "h",
          ChronoUnit.HOURS,
          "d",
          ChronoUnit.DAYS);

  private Durations() {}

  /**
   * @throws IllegalArgumentException when the text is no duration, or a negative one
   */
  static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text);
    if (matcher.matches()) {
      ChronoUnit unit = UNITS.getOrDefault(matcher.group(2), ChronoUnit.MILLIS);
      return unit.getDuration().multipliedBy(Long.parseLong(matcher.group(1)));
    }
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
