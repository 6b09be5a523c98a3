package io.leasehold.tck.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page's parts put together. */
final class Template {
  static final List<String> STYLES = List.of("page.css", "matrix.css", "timeline.css");

  /** In this order: later ones use what earlier ones define. */
  static final List<String> SCRIPTS =
      List.of(
          "dom.js",
          "details.js",
          "summary.js",
          "campaign.js",
          "matrix.js",
          "timeline-layout.js",
          "timeline.js",
          "timeline-text.js",
          "page.js");

  private static final Pattern PLACE = Pattern.compile("<!--(styles|scripts|documents|plain)-->");

  private Template() {}

  static String fill(List<Document> documents) {
    // In one pass: what was put in is not looked at again.
    return PLACE
        .matcher(resource("page.html"))
        .replaceAll(
            place ->
                Matcher.quoteReplacement(
                    switch (place.group(1)) {
                      case "styles" -> inlined(STYLES);
                      case "scripts" -> inlined(SCRIPTS);
                      case "documents" -> embedded(documents);
                      default -> plain(documents);
                    }));
  }

  static String resource(String name) {
    try (InputStream in = Template.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String inlined(List<String> names) {
    return names.stream().map(Template::resource).collect(Collectors.joining("\n"));
  }

  private static String embedded(List<Document> documents) {
    return documents.stream()
        .map(
            document ->
                "<script type=\"application/json\" data-kind=\""
                    + document.kind().name().toLowerCase(Locale.ROOT)
                    + "\" data-file=\""
                    + shown(document.name())
                    + "\">"
                    + document.embedded()
                    + "</script>\n")
        .collect(Collectors.joining());
  }

  /** What can be read without scripts. */
  private static String plain(List<Document> documents) {
    return documents.stream()
        .filter(Document::isReport)
        .map(
            report ->
                "<tr><th scope=\"row\">"
                    + shown(report.text("subject"))
                    + "</th><td>"
                    + (report.certified() ? "✓ certified" : "✕ NOT certified")
                    + "</td><td>"
                    + shown(report.text("level"))
                    + "</td><td>"
                    + shown(report.text("kit"))
                    + "</td><td>"
                    + shown(report.text("started"))
                    + "</td></tr>\n")
        .collect(Collectors.joining());
  }

  /** Text for an element or a quoted attribute. What no document can hold becomes U+FFFD. */
  private static String shown(String text) {
    StringBuilder html = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                default ->
                    html.appendCodePoint(c < ' ' || (c >= 0xD800 && c <= 0xDFFF) ? 0xFFFD : c);
              }
            });
    return html.toString();
  }
}
