package io.leasehold.tck.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Histories written by hand: one line for each event, {@code 12ms} for nanoseconds, and a line
 * {@code process p} where the file of the next process begins. A process has a client 1.
 */
final class Written {
  private static final Pattern MILLIS = Pattern.compile("(-?\\d+)ms");

  private Written() {}

  /** The history of what is written. */
  static History history(String text) {
    try {
      Path folder = Files.createTempDirectory("history");
      List<Path> files = write(text, folder);
      try {
        return History.read(files);
      } finally {
        for (Path file : files) {
          Files.delete(file);
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes it as the processes would have: their files. */
  static List<Path> write(String text, Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String process : text.strip().split("(?m)^process ", -1)) {
      if (!process.isBlank()) {
        String name = process.lines().findFirst().orElseThrow().strip();
        Path file = folder.resolve(files.size() + ".history");
        Files.writeString(file, file(name, process.substring(process.indexOf('\n') + 1)));
        files.add(file);
      }
    }
    return files;
  }

  private static String file(String process, String events) {
    StringBuilder file = new StringBuilder("history 1 " + process + "\n");
    file.append("0 open 1\n");
    for (String event : events.split("\n", -1)) {
      if (!event.isBlank()) {
        file.append(nanos(event.strip())).append('\n');
      }
    }
    return file.toString();
  }

  /** The same with nanoseconds. */
  static String nanos(String line) {
    Matcher matcher = MILLIS.matcher(line);
    return matcher.replaceAll(match -> match.group(1) + "000000").replaceAll("\\b0+(\\d)", "$1");
  }
}
