package io.leasehold.ctl;

import java.nio.charset.Charset;
import java.util.Map;

/**
 * Signs that not every terminal has: with a character set that lacks them (the locale C, in which
 * cron runs) they are written in ASCII.
 */
public final class Signs {
  private static final Map<String, String> PLAIN =
      Map.of("✓", "ok", "✗", "X", "→", "->", "¥", "", "…", "...");

  private static final boolean ALL = charset().newEncoder().canEncode("✓✗→¥…");

  private Signs() {}

  /** A text as it can be shown on the standard output. */
  public static String shown(String text) {
    return ALL ? text : plain(text);
  }

  static String plain(String text) {
    String shown = text;
    for (Map.Entry<String, String> sign : PLAIN.entrySet()) {
      shown = shown.replace(sign.getKey(), sign.getValue());
    }
    return shown;
  }

  private static Charset charset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }
}
