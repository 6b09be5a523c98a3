package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The enum and {@code docs/spec/requirements.md} say the same, word for word. */
class RequirementsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "spec", "requirements.md");
  private static final Pattern ENTRY =
      Pattern.compile(
          "^- \\*\\*(\\S+)\\*\\* \\((MUST|SHOULD)\\) (.*)\n  \\*Intent:\\* (.*)\n  \\*Tested:\\* (.*)$",
          Pattern.MULTILINE);

  @Test
  void theDocumentListsExactlyTheRequirementsOfTheKitInTheirOrder() throws IOException {
    assertThat(documented()).isEqualTo(rendered());
  }

  @Test
  void noEntryOfTheDocumentIsOverlooked() throws IOException {
    long bullets = Files.readString(DOCUMENT).lines().filter(l -> l.startsWith("- **")).count();
    assertThat(documented()).hasSize((int) bullets);
  }

  @Test
  void idsAreUniqueAndNumberedWithinTheirGroup() {
    List<String> ids = Arrays.stream(Requirement.values()).map(Requirement::id).toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[A-Z]+(-[A-B])?-[1-9]\\d*"));
  }

  private static List<String> documented() throws IOException {
    List<String> entries = new ArrayList<>();
    Matcher matcher = ENTRY.matcher(Files.readString(DOCUMENT));
    while (matcher.find()) {
      entries.add(matcher.group());
    }
    return entries;
  }

  private static List<String> rendered() {
    return Arrays.stream(Requirement.values()).map(RequirementsDocumentTest::rendered).toList();
  }

  private static String rendered(Requirement requirement) {
    boolean untestable = requirement.testing().kind() == Testing.Kind.UNTESTABLE;
    return "- **%s** (%s) %s\n  *Intent:* %s\n  *Tested:* %s"
        .formatted(
            requirement.id(),
            requirement.level(),
            requirement.text(),
            requirement.intent(),
            (untestable ? "not at all: " : "") + requirement.testing().description());
  }
}
