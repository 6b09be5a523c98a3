package io.leasehold.tck.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The finished lines of a file. A line that is longer than a megabyte is not one. */
final class Lines {
  private static final int LONGEST = 1 << 20;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int from;
  private int to;
  private long number;

  Lines(InputStream in) {
    this.in = in;
  }

  /** The number of the line that was read last, from 1. */
  long number() {
    return number;
  }

  /**
   * The next line, without its end; null after the last.
   *
   * @throws IllegalArgumentException when it is too long
   */
  @Nullable String next() throws IOException {
    int searched = from;
    while (true) {
      for (; searched < to; searched++) {
        if (buffer[searched] == '\n') {
          String line = new String(buffer, from, searched - from, StandardCharsets.ISO_8859_1);
          from = searched + 1;
          number++;
          return line;
        }
      }
      int found = searched - from;
      if (!fill()) {
        return null;
      }
      searched = from + found;
    }
  }

  private boolean fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == buffer.length) {
      if (to >= LONGEST) {
        number++;
        throw new IllegalArgumentException("a line of more than " + LONGEST + " bytes");
      }
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read = in.read(buffer, to, buffer.length - to);
    to += Math.max(0, read);
    return read > 0;
  }
}
