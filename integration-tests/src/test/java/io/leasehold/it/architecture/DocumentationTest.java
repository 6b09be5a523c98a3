package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is written is what the code does. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE = Pattern.compile("LH-\\d{3}");

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> codesIn(String text) {
    return CODE.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyCodeThatCanBePrintedIsExplainedAndNoOther() throws IOException {
    Set<String> printed = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      files
          .filter(f -> f.toString().matches(".*/src/main/java/.*\\.java"))
          .forEach(f -> printed.addAll(codesIn(read(f))));
    }
    assertThat(printed).containsAll(Arrays.stream(ErrorCode.values()).map(ErrorCode::id).toList());
    assertThat(codesIn(read(ROOT.resolve("docs/errors.md")))).isEqualTo(printed);
  }

  @Test
  void theReadmesListTheSameOptionsWithTheirRealDefaults() {
    Pattern row = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+|无) \\|");
    for (String readme : new String[] {"README.md", "README.zh-CN.md"}) {
      Matcher rows = row.matcher(read(ROOT.resolve(readme)));
      Set<String> listed = new TreeSet<>();
      while (rows.find()) {
        listed.add(rows.group(1));
        Options.required(rows.group(1))
            .defaultValue()
            .filter(value -> !value.equals(""))
            .ifPresentOrElse(
                value ->
                    assertThat(Options.required(rows.group(1)).parse(rows.group(2)))
                        .as(readme + " " + rows.group(1))
                        .isEqualTo(value),
                () -> assertThat(rows.group(2)).isIn("none", "无"));
      }
      assertThat(listed)
          .as(readme)
          .contains("leaseTime", "maxLease", "waitTime", "prefix", "commandTimeout")
          .hasSizeGreaterThan(10);
    }
  }

  @Test
  void theTwoReadmesHaveTheSameParts() {
    String english = read(ROOT.resolve("README.md"));
    String chinese = read(ROOT.resolve("README.zh-CN.md"));
    for (String part : new String[] {"(?m)^## ", "(?m)^\\| ", "(?m)^- ", "(?m)^```"}) {
      assertThat(Pattern.compile(part).matcher(chinese).results().count())
          .as(part)
          .isEqualTo(Pattern.compile(part).matcher(english).results().count());
    }
  }

  @Test
  void ciRunsTheCommandOfTheReadme() {
    assertThat(read(ROOT.resolve("README.md"))).contains("\nmvn -B verify\n");
    assertThat(read(ROOT.resolve("README.zh-CN.md"))).contains("\nmvn -B verify\n");
    assertThat(read(ROOT.resolve(".ci/run"))).contains("\nmvn -B verify\n");
  }
}
