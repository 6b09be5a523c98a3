package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LossReason;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
  void everyCodeKindAndReasonHasAnAnchor() {
    String page = read(ROOT.resolve("docs/errors.md"));
    Stream<String> names =
        Stream.of(
                codesIn(page).stream(),
                Arrays.stream(FailureKind.values()).map(FailureKind::name),
                Arrays.stream(LossReason.values()).map(LossReason::name))
            .flatMap(each -> each);
    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(page)
                    .containsOnlyOnce(
                        "<a id=\"" + name.toLowerCase(Locale.ROOT).replace('_', '-') + "\"></a>"));
  }

  /** A page, and everything in this repository that it links to. */
  @Test
  void noLinkOfADocumentLeadsNowhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    List<String> dead = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = link.matcher(read(page));
      while (links.find()) {
        String[] parts = links.group(1).split("#", 2);
        Path to = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        boolean outside = parts[0].contains("://") || parts[0].startsWith("mailto:");
        boolean there =
            outside
                || (Files.exists(to)
                    && (parts.length < 2
                        || !to.toString().endsWith(".md")
                        || anchors(read(to)).contains(parts[1])));
        if (!there) {
          dead.add(ROOT.relativize(page) + " -> " + links.group(1));
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(f -> f.toString().endsWith(".md"))
          .filter(f -> !f.toString().contains("/target/") && !f.toString().contains("/.git/"))
          .toList();
    }
  }

  /** As a forge makes them of headings; and those that are written out. */
  private static Set<String> anchors(String page) {
    Set<String> anchors = new TreeSet<>();
    Pattern.compile("<a id=\"([^\"]+)\">")
        .matcher(page)
        .results()
        .forEach(m -> anchors.add(m.group(1)));
    Pattern.compile("(?m)^#+ (.*)$")
        .matcher(page)
        .results()
        .forEach(
            heading ->
                anchors.add(
                    heading
                        .group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-')));
    return anchors;
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
