package io.leasehold.it.newcomer;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Whoever follows docs/getting-started word for word ends with a program that works. */
class NewcomerTest {
  private static final List<String> MODULES =
      List.of(
          "lock-spi",
          "lock-api",
          "redis-protocol",
          "lock-tck",
          "provider-jedis",
          "provider-lettuce",
          "provider-vertx");

  private static OwnRepository repository;

  @BeforeAll
  static void makeRepository(@TempDir Path place) throws Exception {
    repository = OwnRepository.in(place.resolve("repository"), MODULES);
  }

  @ParameterizedTest
  @EachDriver
  void thePageLeadsToAProgramThatWorks(Driver driver, @TempDir Path folder) throws Exception {
    Map<String, String> files = Page.of("docs/getting-started.md").files();
    String artifact = "provider-" + driver.provider();
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path to = folder.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(to.getParent()));
      Files.writeString(
          to,
          file.getValue()
              .replace(
                  "<artifactId>provider-lettuce</artifactId>",
                  "<artifactId>" + artifact + "</artifactId>"));
    }
    assertThat(Files.readString(folder.resolve("pom.xml"))).contains(artifact);
    try (RedisServer server = RedisServer.start()) {
      String url = "lock:redis://127.0.0.1:" + server.port();
      String said = repository.run("bash run", folder, Map.of("LEASEHOLD_URL", url));
      assertThat(said.lines())
          .containsSubsequence("waiting for order:42", "done")
          .anyMatch(Pattern.compile("got it, token \\d{16}").asMatchPredicate());
      assertThat(server.command("EXISTS", "order:42")).as("given back").isEqualTo(0L);
      assertThat(String.valueOf(server.command("INFO", "commandstats"))).contains("evalsha");
    }
  }

  @Test
  void theTemplateOfAProviderIsCertifiedWhereverItIsCopiedTo(@TempDir Path folder)
      throws Exception {
    Path copy = folder.resolve("my-lock-provider");
    copy(Page.ROOT.resolve("examples/provider-template"), copy);
    repository.run("mvn -B -q verify", copy, Map.of());
    assertThat(Files.readString(copy.resolve("target/certification/my-provider.json")))
        .contains("\"certified\": true");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (!from.relativize(file).startsWith("target")) {
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            Files.copy(file, target);
          }
        }
      }
    }
  }

  @Test
  void thePagesInBothLanguagesHaveTheSameFiles() throws Exception {
    Map<String, String> english = Page.of("docs/getting-started.md").files();
    Map<String, String> chinese = Page.of("docs/zh-CN/getting-started.md").files();
    assertThat(chinese.keySet()).isEqualTo(english.keySet()).hasSize(3);
    english.forEach(
        (title, text) ->
            assertThat(withoutComments(Objects.requireNonNull(chinese.get(title))))
                .as(title)
                .isEqualTo(withoutComments(text)));
  }

  private static String withoutComments(String text) {
    return text.replaceAll("<!--.*?-->", "").replaceAll("\\s*// .*", "");
  }
}
