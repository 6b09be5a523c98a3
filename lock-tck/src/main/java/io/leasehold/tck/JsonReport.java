package io.leasehold.tck;

import java.util.List;
import java.util.stream.Collectors;

/** A report as JSON, written by hand: the kit needs no library for one document. */
final class JsonReport {
  private JsonReport() {}

  static String of(CertificationReport report) {
    return "{\n"
        + member("subject", report.subject())
        + member("provider", report.provider())
        + member("level", report.level().title())
        + "  \"certified\": "
        + report.certified()
        + ",\n"
        + "  \"seed\": "
        + quoted(Long.toString(report.seed())) // as text: JavaScript's numbers end at 2^53
        + ",\n"
        + member("kit", report.environment().kit())
        + member("jdk", report.environment().jdk())
        + member("os", report.environment().os())
        + member("started", report.started().toString())
        + "  \"tookMillis\": "
        + report.took().toMillis()
        + ",\n"
        + "  \"requirements\": [\n"
        + report.results().stream().map(JsonReport::requirement).collect(Collectors.joining(",\n"))
        + "\n  ]\n}\n";
  }

  private static String member(String key, String value) {
    return "  " + quoted(key) + ": " + quoted(value) + ",\n";
  }

  private static String requirement(RequirementResult result) {
    Requirement requirement = result.requirement();
    StringBuilder json = new StringBuilder("    {\"id\": ").append(quoted(requirement.id()));
    json.append(", \"level\": ").append(quoted(requirement.level().name()));
    json.append(", \"status\": ").append(quoted(result.status().name()));
    json.append(", \"text\": ").append(quoted(requirement.text()));
    if (!result.reason().isEmpty()) {
      json.append(", \"reason\": ").append(quoted(result.reason()));
    }
    result
        .seed()
        .ifPresent(seed -> json.append(", \"seed\": ").append(quoted(Long.toString(seed))));
    json.append(", \"checks\": ").append(list(result.checks()));
    json.append(", \"findings\": ")
        .append(list(result.findings().stream().map(Finding::toString).toList()));
    return json.append('}').toString();
  }

  private static String list(List<String> items) {
    return items.stream().map(JsonReport::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
