package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The versions in the documents are those that the POMs build and test with. */
class CompatibilityPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TOP = ROOT.resolve("pom.xml");
  private static final Path COMPATIBILITY = ROOT.resolve("compatibility");
  private static final Path PARENT = COMPATIBILITY.resolve("pom.xml");
  private static final String UNTESTED = "–";

  private static final Map<String, String> DRIVERS =
      Map.of("jedis", "Jedis", "lettuce", "Lettuce", "vertx", "Vert.x and its Redis client");

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve(name));
  }

  private static Poms module(String name) throws IOException {
    return Poms.read(TOP, PARENT, COMPATIBILITY.resolve(name).resolve("pom.xml"));
  }

  private static List<String> platforms() throws IOException {
    List<String> modules = new ArrayList<>(Poms.read(PARENT).modules());
    assertThat(modules).contains("checks", "oldest");
    modules.removeAll(List.of("checks", "oldest"));
    return modules;
  }

  private static String orUntested(String version) {
    return version.isEmpty() ? UNTESTED : version;
  }

  private static List<String> matches(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(MatchResult::group).toList();
  }

  private static void driversAreInStep(String page) throws IOException {
    Poms top = Poms.read(TOP);
    Poms oldest = module("oldest");
    List<String> rows = new ArrayList<>();
    DRIVERS.forEach(
        (driver, name) ->
            rows.add(
                "| %s | %s | %s | `provider-%s` |"
                    .formatted(
                        name,
                        oldest.property("compatibility." + driver),
                        top.property(driver + ".version"),
                        driver)));
    assertThat(matches("(?m)^\\|.*\\| `provider-\\w+` \\|$", page))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  private static void platformsAreInStep(String page) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String name : platforms()) {
      Poms module = module(name);
      assertThat(module.boms()).hasSize(1);
      String vertx = module.property("compatibility.vertx");
      String client = module.property("compatibility.vertx-redis-client");
      rows.add(
          "| `%s` | %s | %s | %s |"
              .formatted(
                  module.boms().get(0),
                  orUntested(module.property("compatibility.jedis")),
                  orUntested(module.property("compatibility.lettuce")),
                  orUntested(vertx.equals(client) ? vertx : vertx + ", Redis client " + client)));
    }
    assertThat(matches("(?m)\\| `[^`|]+:[^`|]+:[^`|]+` \\|.*\\|$", page))
        .containsExactlyElementsOf(rows);
  }

  @Test
  void thePageNamesTheOldestAndTheNewestVersionOfEachDriver() throws IOException {
    driversAreInStep(page("docs/compatibility.md"));
  }

  @Test
  void thePageNamesWhatEachPlatformChooses() throws IOException {
    platformsAreInStep(page("docs/compatibility.md"));
  }

  @Test
  void aWrongVersionIsFound() throws IOException {
    String page = page("docs/compatibility.md");
    String newest = Poms.read(TOP).property("jedis.version");
    assertThatThrownBy(() -> driversAreInStep(page.replace(newest, newest + "1")))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> driversAreInStep("")).isInstanceOf(AssertionError.class);
    String quarkus = module("quarkus-3.39").property("compatibility.vertx");
    assertThatThrownBy(() -> platformsAreInStep(page.replace(quarkus, "4.5.0")))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> platformsAreInStep("")).isInstanceOf(AssertionError.class);
  }

  @Test
  void theReadmesNameTheSameVersions() throws IOException {
    Poms top = Poms.read(TOP);
    Poms oldest = module("oldest");
    List<String> rows = new ArrayList<>();
    for (String name : platforms()) {
      Poms module = module(name);
      rows.add(
          "| %s | %s | %s |"
              .formatted(
                  orUntested(module.property("compatibility.jedis")),
                  orUntested(module.property("compatibility.lettuce")),
                  orUntested(module.property("compatibility.vertx"))));
    }
    for (String readme : List.of("README.md", "README.zh-CN.md")) {
      String page = page(readme);
      for (String driver : DRIVERS.keySet()) {
        assertThat(page)
            .as("%s in %s", driver, readme)
            .containsPattern(
                "\\| `provider-%s` \\| [^|]*%s (to|至) %s \\|"
                    .formatted(
                        driver,
                        Pattern.quote(oldest.property("compatibility." + driver)),
                        Pattern.quote(top.property(driver + ".version"))));
      }
      assertThat(
              matches("(?m)^\\| (Micronaut|Spring Boot|Quarkus) .*$", page).stream()
                  .map(row -> row.replaceFirst("^\\| [^|]+", ""))
                  .toList())
          .as(readme)
          .containsExactlyElementsOf(rows);
    }
  }
}
