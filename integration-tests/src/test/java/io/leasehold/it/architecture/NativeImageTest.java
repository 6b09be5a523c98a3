package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a native image must be told of each published module: its resources, its services, and what
 * it looks up by name. Read from the sources, as far as that can be done without the tool itself.
 */
class NativeImageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LOOKS_UP =
      Pattern.compile(
          "Class\\.forName|\\.getMethods?\\(|\\.getDeclaredMethods?\\(|newUpdater\\(|getResource"
              + "(AsStream)?\\(|\\.loadClass\\(|Proxy\\.newProxyInstance|MethodHandles\\.");

  static List<Path> published() throws IOException {
    List<Path> modules = new ArrayList<>();
    Matcher module =
        Pattern.compile("<module>([^<]+)</module>")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    while (module.find()) {
      Path folder = ROOT.resolve(module.group(1));
      String pom = Files.readString(folder.resolve("pom.xml"));
      boolean unpublished = pom.contains("<leasehold.unpublished>true");
      if (!unpublished && !pom.contains("<packaging>pom</packaging>")) {
        modules.add(folder);
      }
    }
    return modules;
  }

  private static JsonObject metadata(Path module) throws IOException {
    Path file =
        module
            .resolve("src/main/resources/META-INF/native-image/io.leasehold")
            .resolve(module.getFileName())
            .resolve("reachability-metadata.json");
    assertThat(file).as("metadata of %s", module.getFileName()).isRegularFile();
    return new JsonObject(Files.readString(file));
  }

  @Test
  void theModulesAreFound() throws IOException {
    assertThat(published())
        .extracting(module -> module.getFileName().toString())
        .contains("lock-spi", "lock-api", "redis-protocol", "provider-lettuce", "lock-tck")
        .doesNotContain("bom", "integration-tests", "benchmarks", "redis-testkit");
  }

  @ParameterizedTest
  @MethodSource("published")
  void everyResourceIsNamed(Path module) throws IOException {
    List<PathMatcher> globs = new ArrayList<>();
    for (Object resource : metadata(module).getJsonArray("resources", new JsonArray())) {
      globs.add(
          FileSystems.getDefault()
              .getPathMatcher("glob:" + ((JsonObject) resource).getString("glob")));
    }
    Path resources = module.resolve("src/main/resources");
    try (Stream<Path> files = Files.walk(resources)) {
      List<Path> unnamed =
          files
              .filter(Files::isRegularFile)
              .map(resources::relativize)
              .filter(file -> !file.startsWith("META-INF/native-image"))
              // For the compiler, which no image has.
              .filter(file -> !file.endsWith("io.micronaut.inject.visitor.TypeElementVisitor"))
              .filter(file -> globs.stream().noneMatch(glob -> glob.matches(file)))
              .toList();
      assertThat(unnamed).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("published")
  void everyServiceCanBeMade(Path module) throws IOException {
    Path services = module.resolve("src/main/resources/META-INF/services");
    if (!Files.isDirectory(services)) {
      return;
    }
    Set<String> made = new TreeSet<>();
    for (JsonObject type : types(module)) {
      for (Object method : type.getJsonArray("methods", new JsonArray())) {
        if (((JsonObject) method).getString("name").equals("<init>")) {
          made.add(type.getString("type"));
        }
      }
    }
    try (Stream<Path> files = Files.list(services)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("io.leasehold")).toList()) {
        assertThat(made).containsAll(Files.readAllLines(file));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("published")
  void everyTypeOfOursThatIsNamedIsThere(Path module) throws IOException {
    for (JsonObject type : types(module)) {
      String name = type.getString("type");
      if (name.startsWith("io.leasehold.")) {
        assertThat(module.resolve("src/main/java/" + name.replace('.', '/') + ".java"))
            .isRegularFile();
      }
    }
  }

  /** A class that begins to look things up by name must be thought of here, and in the metadata. */
  @Test
  void whatIsLookedUpByNameIsKnown() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path module : published()) {
      try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          if (LOOKS_UP.matcher(Files.readString(file)).find()) {
            found.add(module.getFileName() + "/" + file.getFileName());
          }
        }
      }
    }
    assertThat(found)
        .containsExactlyInAnyOrder(
            "lock-api/Executors.java",
            "lock-api/Place.java",
            "lock-micronaut/PropertyPath.java", // of the application's types: docs/micronaut.md
            "redis-protocol/Script.java",
            "provider-jedis/Servers.java", // a method of one client of Jedis, where it is
            "provider-vertx/Node.java", // close, whose return type changed with Vert.x 5
            "lock-tck/Catalogue.java",
            "lock-tck/OwnLeaseChecks.java",
            "lock-tck/Template.java");
  }

  @Test
  void everyGroupOfChecksIsNamed() throws IOException {
    Path kit = ROOT.resolve("lock-tck");
    Set<String> groups = new TreeSet<>();
    Matcher group =
        Pattern.compile("new (\\w+)\\(\\)")
            .matcher(
                Files.readString(
                    kit.resolve("src/main/java/io/leasehold/tck/checks/Catalogue.java")));
    while (group.find()) {
      if (group.group(1).endsWith("Checks")) {
        groups.add("io.leasehold.tck.checks." + group.group(1));
      }
    }
    assertThat(types(kit))
        .filteredOn(type -> type.getBoolean("allDeclaredMethods", false))
        .extracting(type -> type.getString("type"))
        .containsExactlyInAnyOrderElementsOf(groups);
  }

  private static List<JsonObject> types(Path module) throws IOException {
    List<JsonObject> types = new ArrayList<>();
    for (Object type : metadata(module).getJsonArray("reflection", new JsonArray())) {
      types.add((JsonObject) type);
    }
    return types;
  }
}
