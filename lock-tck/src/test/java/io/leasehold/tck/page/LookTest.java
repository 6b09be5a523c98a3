package io.leasehold.tck.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of the page's looks by reading its parts. */
class LookTest {
  private static final Pattern COLOUR =
      Pattern.compile("--([\\w-]+): light-dark\\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\\)");

  /** The names of colours, each with its light and its dark one. */
  private static Map<String, List<String>> colours() {
    Map<String, List<String>> colours = new HashMap<>();
    for (String style : Template.STYLES) {
      Matcher colour = COLOUR.matcher(Template.resource(style));
      while (colour.find()) {
        colours.put(colour.group(1), List.of(colour.group(2), colour.group(3)));
      }
    }
    return colours;
  }

  private static String one(Map<String, List<String>> colours, String name, int scheme) {
    return Objects.requireNonNull(colours.get(name), name).get(scheme);
  }

  private static double luminance(String colour) {
    String hex = colour.length() == 4 ? colour.replaceAll("([0-9a-f])", "$1$1") : colour;
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(hex, 1 + 2 * i, 3 + 2 * i, 16) / 255.0;
      double linear = part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
      sum += weights[i] * linear;
    }
    return sum;
  }

  private static double contrast(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static void contrastIsAtLeast(double least, String front, String... grounds) {
    Map<String, List<String>> colours = colours();
    for (String ground : grounds) {
      for (int scheme = 0; scheme < 2; scheme++) {
        assertThat(contrast(one(colours, front, scheme), one(colours, ground, scheme)))
            .as("%s on %s, %s", front, ground, scheme == 0 ? "light" : "dark")
            .isGreaterThanOrEqualTo(least);
      }
    }
  }

  @Test
  void theMeasureOfContrastIsRight() {
    assertThat(contrast("#000", "#ffffff")).isEqualTo(21.0);
    assertThat(contrast("#777777", "#fff")).isBetween(4.47, 4.49);
  }

  @Test
  void textStandsOutFromItsGround() {
    contrastIsAtLeast(7, "ink", "ground", "paper", "raised");
    contrastIsAtLeast(4.5, "soft", "ground", "paper", "raised");
    contrastIsAtLeast(4.5, "accent", "ground", "paper");
    for (String tone : List.of("good", "bad", "warn", "note", "mute")) {
      contrastIsAtLeast(4.5, tone, tone + "-wash", "ground", "paper");
    }
    contrastIsAtLeast(4.5, "good", "mute-wash"); // a group that passed in part
    contrastIsAtLeast(4.5, "fault", "bad-wash", "paper");
  }

  @Test
  void barsAndFramesStandOutFromTheirGround() {
    contrastIsAtLeast(3, "strong-rule", "ground", "paper");
    for (int hue = 0; hue < 8; hue++) {
      contrastIsAtLeast(3, "lock-" + hue, "paper");
      contrastIsAtLeast(4.5, "on-lock", "lock-" + hue);
    }
  }

  @Test
  void groupsAreCalledAsInTheRequirements() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    Matcher heading =
        Pattern.compile("^## ([A-Z-]+): (.*)$", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("..", "docs", "spec", "requirements.md")));
    while (heading.find()) {
      documented.put(heading.group(1), heading.group(2));
    }
    Map<String, String> shown = new TreeMap<>();
    Matcher title =
        Pattern.compile("^  \"?([A-Z-]+)\"?: \"(.*)\",$", Pattern.MULTILINE)
            .matcher(Template.resource("matrix.js"));
    while (title.find()) {
      shown.put(title.group(1), title.group(2));
    }
    assertThat(shown).isEqualTo(documented);
    assertThat(shown.keySet())
        .containsAll(Arrays.stream(Requirement.values()).map(Requirement::group).toList());
  }
}
