package io.leasehold.ctl;

import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.OptionKey;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as a lock URL has them: {@code 500ms}, {@code 10s}, {@code 2m}. */
public final class Durations implements ITypeConverter<Duration> {
  private static final OptionKey<Duration> AS_IN_A_URL =
      OptionKey.duration("duration", Optional.empty(), Duration.ZERO, Duration.ofDays(365));

  /** For the parser. */
  public Durations() {}

  @Override
  public Duration convert(String text) {
    try {
      return AS_IN_A_URL.parse(text);
    } catch (InvalidConfigurationException e) {
      throw new TypeConversionException("write a duration as 500ms, 10s, 2m, 1h or 1d");
    }
  }

  /** A duration for a person, in the same form. */
  public static String shown(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 10_000) {
      return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
    long seconds = millis / 1_000;
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
