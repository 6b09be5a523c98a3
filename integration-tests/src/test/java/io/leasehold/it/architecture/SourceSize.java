package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How many lines of Java a module has. */
final class SourceSize {
  private SourceSize() {}

  /** All lines of all files count, as {@code wc -l} counts them. */
  static void isAtMost(long most, Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(java).as("%s", sources).isNotEmpty();
      assertThat(java.stream().mapToLong(SourceSize::lines).sum())
          .as("lines in %s", sources)
          .isLessThanOrEqualTo(most);
    }
  }

  private static long lines(Path file) {
    try {
      return Files.readString(file).chars().filter(c -> c == '\n').count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
