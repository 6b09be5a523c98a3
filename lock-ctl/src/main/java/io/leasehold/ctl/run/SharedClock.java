package io.leasehold.ctl.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A clock that a shell script can read, too: hundredths of a second since the machine was started,
 * sleep included; where there is no such file, since 1970, in whole seconds.
 */
final class SharedClock {
  private static final Path UPTIME = Path.of("/proc/uptime");

  private SharedClock() {}

  /** Never later than it is. */
  static long hundredths() {
    try {
      if (Files.isReadable(UPTIME)) {
        String text = Files.readString(UPTIME);
        return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
      }
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("the clock cannot be read: " + UPTIME, e);
    }
    return System.currentTimeMillis() / 1_000 * 100;
  }
}
