package io.leasehold.spi;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key of an option in a lock URL, with the type and the bounds of its value. Immutable. Two
 * keys with the same name are equal.
 *
 * @param <T> the type of the value
 */
public final class OptionKey<T> {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");

  private final String name;
  private final Optional<T> defaultValue;
  private final Function<String, T> parser;

  private OptionKey(String name, Optional<T> defaultValue, Function<String, T> parser) {
    this.name = name;
    this.defaultValue = defaultValue;
    this.parser = parser;
  }

  /** A duration with a unit (ms, s, m, h, d), within bounds (both included). */
  public static OptionKey<Duration> duration(
      String name, Optional<Duration> defaultValue, Duration min, Duration max) {
    return new OptionKey<>(
        name,
        defaultValue,
        text -> {
          Duration value = parseDuration(name, text);
          if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw bad(name, "must lie between " + format(min) + " and " + format(max));
          }
          return value;
        });
  }

  /** {@code on} or {@code off}; {@code true} and {@code false} mean the same. */
  public static OptionKey<Boolean> flag(String name, Optional<Boolean> defaultValue) {
    return new OptionKey<>(
        name,
        defaultValue,
        text ->
            switch (text) {
              case "on", "true" -> true;
              case "off", "false" -> false;
              default -> throw bad(name, "must be on or off");
            });
  }

  /** A whole number within bounds (both included). */
  public static OptionKey<Integer> integer(
      String name, Optional<Integer> defaultValue, int min, int max) {
    return new OptionKey<>(
        name,
        defaultValue,
        text -> {
          try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
              return value;
            }
          } catch (NumberFormatException e) {
            // falls through: the same message serves both
          }
          throw bad(name, "must be a whole number from " + min + " to " + max);
        });
  }

  /** Any text, the empty one included. */
  public static OptionKey<String> text(String name, Optional<String> defaultValue) {
    return new OptionKey<>(name, defaultValue, Function.identity());
  }

  /** One of the constants of an enum, written in lower case. */
  public static <E extends Enum<E>> OptionKey<E> choice(
      String name, Optional<E> defaultValue, Class<E> type) {
    return new OptionKey<>(
        name,
        defaultValue,
        text -> {
          StringBuilder choices = new StringBuilder();
          for (E constant : type.getEnumConstants()) {
            String shown = constant.name().toLowerCase(Locale.ROOT);
            if (shown.equals(text)) {
              return constant;
            }
            choices.append(choices.isEmpty() ? "" : ", ").append(shown);
          }
          throw bad(name, "must be one of " + choices);
        });
  }

  /** The key as it is written in a URL. */
  public String name() {
    return name;
  }

  /** What holds when the URL does not say. */
  public Optional<T> defaultValue() {
    return defaultValue;
  }

  /**
   * Reads a value.
   *
   * @throws InvalidConfigurationException naming the key, but not the text: it might be a secret
   */
  public T parse(String text) {
    return parser.apply(text);
  }

  private static Duration parseDuration(String name, String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw bad(name, "must be a whole number with a unit: ms, s, m, h or d, as in 500ms or 30s");
    }
    long amount = Long.parseLong(matcher.group(1));
    try {
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    } catch (ArithmeticException e) {
      throw bad(name, "is too long");
    }
  }

  private static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 86_400_000 == 0) {
      return millis / 86_400_000 + "d";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  private static InvalidConfigurationException bad(String name, String what) {
    return new InvalidConfigurationException(
        ErrorCode.BAD_VALUE, name, "The value of the option '" + name + "' " + what);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OptionKey<?> key && key.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
