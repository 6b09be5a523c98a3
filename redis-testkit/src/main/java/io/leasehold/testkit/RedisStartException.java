package io.leasehold.testkit;

/**
 * A server did not come up. The message says why, as far as is known, and ends with the tail of its
 * log.
 */
public final class RedisStartException extends IllegalStateException {

  private static final long serialVersionUID = 1L;
  private static final int TAIL_LINES = 25;

  RedisStartException(String problem, String log) {
    super(problem + "\n--- the last lines of its log ---\n" + tail(log));
  }

  private static String tail(String log) {
    if (log.isBlank()) {
      return "(the log is empty)";
    }
    long lines = log.lines().count();
    return String.join("\n", log.lines().skip(Math.max(0, lines - TAIL_LINES)).toList());
  }
}
