package io.leasehold.tck.page;

import static io.leasehold.tck.page.Samples.passed;
import static io.leasehold.tck.page.Samples.report;
import static io.leasehold.tck.page.Samples.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the generator does, as far as it can be seen without a browser. */
class CertificationPageTest {
  private static final Pattern DOCUMENT =
      Pattern.compile("<script type=\"application/json\"[^>]*>(.*?)</script>", Pattern.DOTALL);
  private static final String HOSTILE =
      "</script><script>alert(1)</script><!--<script><img src=x onerror=alert(2)>\u2028\u2029 &\"'";

  private final Path folder;

  CertificationPageTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private CertificationPage page(String... documents) throws IOException {
    for (int i = 0; i < documents.length; i++) {
      Files.writeString(folder.resolve(i + ".json"), documents[i]);
    }
    return CertificationPage.of(folder);
  }

  @Test
  void everyDocumentIsInThePageAsItIs() throws IOException {
    Matcher document =
        DOCUMENT.matcher(CertificationPage.of(Samples.everything(folder.resolve("in"))).html());
    try (Stream<Path> files = Files.list(folder.resolve("in")).sorted()) {
      for (Path file : files.toList()) {
        assertThat(document.find()).as("%s", file).isTrue();
        assertThat(Json.read(document.group(1))).isEqualTo(Json.read(Files.readString(file)));
      }
    }
    assertThat(document.find()).isFalse();
  }

  @Test
  void noTextCanEndTheElementItStandsIn() throws IOException {
    String html = page(report(HOSTILE, true, passed("SAFE-1"))).html();
    Matcher document = DOCUMENT.matcher(html);
    assertThat(document.find()).isTrue();
    assertThat(document.group(1)).doesNotContain("<", "\u2028", "\u2029");
    assertThat(Members.of(Json.read(document.group(1))).text("subject")).isEqualTo(HOSTILE);
    assertThat(html).doesNotContain("<img", "alert(1)</script>");
    assertThat(html).containsOnlyOnce("&lt;/script&gt;&lt;script&gt;alert(1)");
    // the document, and the page's own
    assertThat(html.split("<script", -1)).hasSize(3);
  }

  @Test
  void whatLooksLikeAPlaceOfTheTemplateIsText() throws IOException {
    String html = page(report("<!--scripts--> $1 \\", true, passed("SAFE-1"))).html();
    assertThat(html).contains("&lt;!--scripts--&gt; $1 \\");
    assertThat(html.split("\"use strict\"", -1)).hasSize(2);
  }

  @Test
  void theSameDocumentsGiveTheSameBytes() throws IOException {
    String first = CertificationPage.of(Samples.everything(folder.resolve("one"))).html();
    Path other = Files.createDirectories(folder.resolve("two"));
    try (Stream<Path> files = Files.list(folder.resolve("one"))) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.copy(file, other.resolve(file.getFileName()));
      }
    }
    Path written = CertificationPage.of(other).writeTo(folder.resolve("deep").resolve("p.html"));
    assertThat(Files.readAllBytes(written)).isEqualTo(first.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void nothingIsLoadedFromElsewhere() {
    Stream.of(List.of("page.html"), Template.STYLES, Template.SCRIPTS)
        .flatMap(List::stream)
        .forEach(
            name ->
                assertThat(Template.resource(name))
                    .as(name)
                    .doesNotContain("//www", "://", "@import", "fetch(", "import(", "innerHTML")
                    .doesNotContain("XMLHttpRequest", "WebSocket", "insertAdjacentHTML", "<link")
                    .doesNotContainPattern("\\bsrc\\s*[=:]|url\\((?!#)|eval\\(|new Function"));
    String html = CertificationPage.ofReport(report("acme", true, passed("SAFE-1"))).html();
    assertThat(html)
        .contains(
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                + " style-src 'unsafe-inline'; script-src 'unsafe-inline';");
  }

  @Test
  void verdictsCanBeReadWithoutScripts() throws IOException {
    String html =
        page(
                report("good", true, passed("SAFE-1"), result("OBS-1", "SHOULD", "FAILED", "")),
                report("bad", false, result("SAFE-1", "MUST", "NOT_RUN", ", \"reason\": \"late\"")))
            .html();
    assertThat(html)
        .contains("<th scope=\"row\">good</th><td>✓ certified</td><td>Core</td>")
        .contains("<th scope=\"row\">bad</th><td>✕ NOT certified</td><td>Core</td>");
  }

  static Stream<Arguments> nonsense() {
    String good = report("acme", true, passed("SAFE-1"));
    String timeline = Samples.resource("timeline.json");
    String campaign = Samples.resource("campaign.json");
    return Stream.of(
        Arguments.of("", "not JSON"),
        Arguments.of("{\"requirements\": [", "ends too early"),
        Arguments.of(good + "x", "not JSON, at line"),
        Arguments.of("[]", "not an object"),
        Arguments.of("{\"name\": \"something else\"}", "neither a report"),
        Arguments.of("{\"a\": 1, \"a\": 2}", "twice"),
        Arguments.of("[".repeat(100_000), "levels deep"),
        Arguments.of(good.replace("\"jdk\"", "\"jvm\""), "\"jdk\" is missing"),
        Arguments.of(good.replace("\"12\"", "12").replace("true", "\"true\""), "true or false"),
        Arguments.of(good.replace("2026-11-17T", "yesterday "), "no instant"),
        Arguments.of(good.replace("PASSED", "GREEN"), "\"status\" is none of PASSED"),
        Arguments.of(good.replace("[\"it is so\"]", "[1]"), "no text"),
        Arguments.of(good.replace("PASSED", "FAILED"), "though a MUST failed"),
        Arguments.of(good.replace("true", "false"), "though every MUST"),
        Arguments.of(
            campaign.replace("\"race\"", "\"luck\""), "\"expect\" is none of none, race, any"),
        Arguments.of(campaign.replaceFirst("\"grants\": \"\\d+\"", "\"grants\": -1"), "no count"),
        Arguments.of(timeline.replace("\"lost\"", "\"found\""), "\"what\" is none of"),
        Arguments.of(timeline.replace("\"millis\": 12000", "\"millis\": 5000"), "no part of"));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseIsRefusedByTheNameOfItsFile(String document, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> page(report("acme", true, passed("SAFE-1")), document))
        .withMessageStartingWith("1.json: ")
        .withMessageContaining(why);
  }

  @Test
  void textThatIsNotInUtf8IsRefused() throws IOException {
    Files.write(folder.resolve("odd.json"), new byte[] {'{', (byte) 0xC3, '}'});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificationPage.of(folder))
        .withMessage("odd.json: not in UTF-8");
  }

  @Test
  void aPageNeedsAReportAndHasOneCampaignAtMost() {
    String campaign = Samples.resource("campaign.json");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> page(campaign))
        .withMessageContaining("no report");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> page(campaign, campaign, report("acme", true, passed("SAFE-1"))))
        .withMessageContaining("0.json, 1.json");
  }

  @Test
  void theKitsOwnClassesAreEnoughToRunIt() throws Exception {
    Path classes =
        Path.of(
            CertificationPage.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.writeString(folder.resolve("a.json"), report("acme", true, passed("SAFE-1")));
    Path out = folder.resolve("out").resolve("page.html");
    assertThat(run(classes, folder.toString(), out.toString())).isZero();
    assertThat(out).hasContent(CertificationPage.of(folder).html());
    Files.writeString(folder.resolve("b.json"), "nonsense");
    assertThat(run(classes, folder.toString(), out.toString())).isOne();
    assertThat(folder.resolve("log")).content().startsWith("b.json: not JSON");
    assertThat(run(classes)).isOne();
    assertThat(folder.resolve("log")).content().startsWith("usage: ");
  }

  private int run(Path classes, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    classes.toString(),
                    CertificationPage.class.getName()),
                Stream.of(arguments))
            .toList();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }
}
