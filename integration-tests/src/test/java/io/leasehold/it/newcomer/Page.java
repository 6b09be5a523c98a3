package io.leasehold.it.newcomer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document whose files can be taken out of it: blocks with {@code title="path"}. */
record Page(Path file, String text) {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern TITLED =
      Pattern.compile("(?ms)^```\\w+ title=\"([^\"]+)\"\\R(.*?)^```$");

  static Page of(String path) throws IOException {
    Path file = ROOT.resolve(path);
    return new Page(file, Files.readString(file));
  }

  /** The blocks, by their titles. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    Matcher blocks = TITLED.matcher(text);
    while (blocks.find()) {
      files.put(blocks.group(1), blocks.group(2));
    }
    return files;
  }

  @Override
  public String toString() {
    return ROOT.relativize(file).toString();
  }
}
