package io.leasehold.ctl;

import java.text.MessageFormat;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * What Leasehold logs, one line each on the standard error: warnings and worse, or everything from
 * INFO on with {@code --verbose}.
 */
public final class StderrLog extends System.LoggerFinder {
  private static volatile boolean verbose;
  private static volatile boolean json;
  private static volatile boolean muted;

  /** For the service loader. */
  public StderrLog() {}

  static void settings(boolean asJson, boolean isVerbose) {
    json = asJson;
    verbose = isVerbose;
  }

  /** Says nothing any more, unless with {@code --verbose}: for who provokes what is logged. */
  public static void mute() {
    muted = true;
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Lines(name);
  }

  private record Lines(String name) implements System.Logger {

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      Level least = verbose ? Level.INFO : Level.WARNING;
      return level != Level.OFF && level.compareTo(least) >= 0 && (verbose || !muted);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        String cause =
            Optional.ofNullable(thrown).map(problem -> ": " + problem.getMessage()).orElse("");
        Output.print(System.err, json, "log", message + cause, Map.of("level", level));
        if (thrown != null && verbose) {
          thrown.printStackTrace();
        }
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... params) {
      boolean plain = format == null || params == null || params.length == 0;
      log(level, bundle, plain ? format : MessageFormat.format(format, params), (Throwable) null);
    }
  }
}
