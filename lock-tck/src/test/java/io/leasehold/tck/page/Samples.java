package io.leasehold.tck.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Documents to make pages of. */
final class Samples {
  /** The reports that are kept. */
  static final Path KEPT = Path.of("..", "docs", "certification");

  private Samples() {}

  /** {@code campaign.json} or {@code timeline.json}, as a campaign could have written it. */
  static String resource(String name) {
    try (InputStream in = Samples.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A report of two groups, whose results are these. */
  static String report(String subject, boolean certified, String... results) {
    return """
        {"subject": %s, "provider": %s, "level": "Core", "certified": %s, "seed": "-9223372036854775808",
         "kit": "1", "jdk": "17", "os": "Linux", "started": "2026-11-17T11:46:29.5Z", "tookMillis": 12,
         "requirements": [%s]}
        """
        .formatted(
            quoted(subject), quoted(subject), certified, String.join(",\n", List.of(results)));
  }

  static String passed(String id) {
    return result(id, "MUST", "PASSED", ", \"seed\": \"-7\"");
  }

  /** One result, with what is given besides. */
  static String result(String id, String level, String status, String more) {
    return """
        {"id": "%s", "level": "%s", "status": "%s", "text": "A rule.", "checks": ["it is so"], "findings": []%s}"""
        .formatted(id, level, status, more);
  }

  static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars()
        .forEach(
            c ->
                json.append(
                    c == '"' || c == '\\' || c < ' '
                        ? String.format("\\u%04x", c)
                        : Character.toString(c)));
    return json.append('"').toString();
  }

  /** The reports that are kept, and a campaign with its time line. */
  static Path everything(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Path file : kept()) {
      if (Files.readString(file).contains("\"requirements\"")) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Files.writeString(folder.resolve("campaign.json"), resource("campaign.json"));
    Files.writeString(folder.resolve("timeline.json"), resource("timeline.json"));
    return folder;
  }

  static List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(KEPT)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
