package io.leasehold.ctl;

import io.leasehold.spi.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether there is a person, and what it says. */
public final class Terminal {
  private static final Path SELF = Path.of("/proc/self/stat");
  private static final int GROUP = 2;
  private static final int FOREGROUND_GROUP = 5;

  private Terminal() {}

  /**
   * Asks a person for a line. The question goes where messages go.
   *
   * @return empty when there is nobody to ask: the standard input is no terminal
   */
  public static Optional<String> ask(String question) {
    if (!isInput()) {
      return Optional.empty();
    }
    System.err.print(Printable.of(question));
    System.err.flush();
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      return Optional.of(line == null ? "" : line);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** By the shell: what System.console() says of it depends on the version of the JDK. */
  private static boolean isInput() {
    try {
      return new ProcessBuilder("sh", "-c", "test -t 0")
              .redirectInput(Redirect.INHERIT)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Whether this process is in the foreground of a terminal: ^C is then sent to all of its group,
   * and so to every process that it has started.
   */
  public static boolean isForeground() {
    try {
      return Files.isReadable(SELF)
          ? isForeground(Files.readString(SELF, StandardCharsets.ISO_8859_1))
          : isInput();
    } catch (IOException e) {
      return isInput();
    }
  }

  /**
   * @param stat as proc(5) has it; the name in it may contain anything, but is followed by the last
   *     parenthesis
   */
  static boolean isForeground(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
    return fields[GROUP].equals(fields[FOREGROUND_GROUP]);
  }
}
