package io.leasehold.tck.page;

import static io.leasehold.tck.page.Samples.passed;
import static io.leasehold.tck.page.Samples.report;
import static io.leasehold.tck.page.Samples.result;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser. */
class BrowserTest extends InBrowser {
  private static final String HOSTILE = "<img src=x onerror='window.harm=1'>";
  private static final String HOSTILER = "</script><script>window.harm=2</script>";

  BrowserTest(@TempDir Path folder) {
    super(folder);
  }

  private static List<Members> reports() throws IOException {
    List<Members> reports = new ArrayList<>();
    for (Path file : Samples.kept()) {
      Members document = Members.of(Json.read(Files.readString(file)));
      if (document.has("requirements")) {
        reports.add(document);
      }
    }
    return reports;
  }

  /** How many requirements begin so. */
  private static int ids(String prefix) throws IOException {
    Set<String> ids = new HashSet<>();
    for (Members report : reports()) {
      report.list("requirements").forEach(result -> ids.add(result.text("id")));
    }
    return (int) ids.stream().filter(id -> id.startsWith(prefix)).count();
  }

  @Test
  void everyCellShowsTheStatusThatItsReportHas() throws Exception {
    tab.open(everything);
    Map<String, String> glyphs =
        Map.of("PASSED", "✓", "FAILED", "✕", "NOT_RUN", "!", "SKIPPED", "–", "UNTESTABLE", "?");
    List<Object> expected = new ArrayList<>();
    for (Members report : reports()) {
      for (Members result : report.list("requirements")) {
        String status = result.text("status");
        String glyph = Objects.requireNonNull(glyphs.get(status));
        expected.add(List.of(report.text("subject"), result.text("id"), status, glyph));
      }
    }
    // Read as a reader does: the head of the column, the row's id, the sign.
    Object shown =
        tab.value(
            """
            (() => {
              const heads = [...document.querySelectorAll('.matrix thead th .name')];
              const rows = [...document.querySelectorAll('.matrix tr.result')];
              return heads.flatMap((head, i) => rows.map(row => {
                const cell = row.cells[i + 1].querySelector('button');
                return [head.textContent, row.querySelector('th b').textContent, cell.dataset.status, cell.textContent];
              }));
            })()""");
    assertThat((List<?>) shown).hasSameSizeAs(expected).hasSizeGreaterThan(2_000);
    assertThat((List<?>) shown).isEqualTo(expected);
    assertThat(tab.text("document.querySelector('h1').textContent"))
        .isEqualTo("All " + reports().size() + " subjects are certified");
  }

  @Test
  void aCellOpensItsDetailsWithTheMouseAndWithKeys() throws Exception {
    tab.open(everything);
    String cell = "[aria-label='SAFE-2, jedis-cluster: skipped']";
    tab.click(cell);
    assertThat(tab.is("document.querySelector('dialog').open")).isTrue();
    assertThat(tab.text("document.querySelector('dialog').innerText"))
        .contains("jedis-cluster", "SAFE-2", "– skipped", "MUST", "A quorum is ⌊N/2⌋+1")
        .contains("it needs a quorum of servers");
    tab.key("Escape");
    assertThat(tab.is("document.querySelector('dialog').open")).isFalse();
    assertThat(tab.is("document.activeElement === document.querySelector(\"" + cell + "\")"))
        .isTrue();
    tab.key("ArrowRight");
    tab.key("ArrowRight");
    tab.key("Enter");
    assertThat(tab.text("document.querySelector('dialog').innerText"))
        .contains("jedis-redlock-3", "SAFE-2", "✓ passed", "The 4 checks that ran", "Seed\n");
    tab.key("Escape");
    tab.key("ArrowUp");
    assertThat(tab.text("document.activeElement.getAttribute('aria-label')"))
        .isEqualTo("SAFE-1, jedis-redlock-3: passed");
    tab.key("Home");
    tab.key("Enter");
    assertThat(tab.text("document.querySelector('dialog').innerText"))
        .contains("SAFE-1", "At most one valid holder");
    assertThat(tab.number("document.querySelectorAll('.matrix [tabindex=\"0\"]').length")).isOne();
  }

  @Test
  void groupsOpenAndCloseAndFiltersFind() throws Exception {
    tab.open(everything);
    String rows = "[...document.querySelectorAll('tr.result')].filter(r => r.offsetParent).length";
    assertThat(tab.number(rows)).as("the first group").isEqualTo(ids("SAFE-"));
    tab.click("[data-group='FENCE'] .toggle");
    assertThat(tab.number(rows)).isEqualTo(ids("SAFE-") + ids("FENCE-"));
    tab.click("#open-all");
    assertThat(tab.number(rows)).isEqualTo(ids(""));
    tab.click("#close-all");
    assertThat(tab.number(rows)).isZero();
    tab.click("[data-filter='UNTESTABLE']");
    assertThat(tab.number(rows)).isOne();
    tab.click("[data-filter='UNTESTABLE']");
    tab.click("#filter-text");
    tab.type("runaway CLOCK");
    assertThat(tab.number(rows)).isOne();
    tab.click("#filter-subject");
    tab.type("sentinel");
    assertThat(tab.text("document.querySelector('.found').textContent"))
        .isEqualTo("1 requirement × 3 subjects");
    assertThat(
            tab.number(
                "[...document.querySelectorAll('.matrix thead th')].filter(h => h.offsetParent).length"))
        .isEqualTo(3);
  }

  @Test
  void whatFailedIsSeenAtOnce() throws Exception {
    tab.open(
        page(
            report("good", true, passed("SAFE-1"), passed("FENCE-1"), passed("OWN-1")),
            report(
                "bad",
                false,
                passed("SAFE-1"),
                result("FENCE-1", "MUST", "FAILED", "")
                    .replace("\"findings\": []", "\"findings\": [\"41 after 42\"]"),
                result("NEW-1", "SHOULD", "NOT_RUN", ", \"reason\": \"not chosen\""))));
    assertThat(tab.text("document.querySelector('#verdict').innerText"))
        .contains("1 of 2 subjects are certified", "1 at level Core");
    assertThat(tab.is("document.querySelector('.verdict.bad .seal')")).isTrue();
    assertThat(tab.is("document.querySelector('[data-id=\"FENCE-1\"]').offsetParent")).isTrue();
    assertThat(tab.is("document.querySelector('[data-id=\"SAFE-1\"]').offsetParent")).isFalse();
    assertThat(tab.text("document.querySelector('[data-id=\"NEW-1\"] td').innerText"))
        .isEqualTo("·");
    tab.click("[data-status='FAILED']");
    assertThat(tab.text("document.querySelector('dialog').innerText"))
        .contains("✕ failed", "41 after 42");
  }

  @Test
  void hostileNamesAreJustNames() throws Exception {
    tab.size(360, 740, 1, true);
    String run = Samples.resource("campaign.json");
    String line = Samples.resource("timeline.json");
    tab.open(
        page(
            report(HOSTILE, true, passed("SAFE-1")),
            report(HOSTILER + "x".repeat(300), true, passed("__proto__-1"), passed("SAFE-1")),
            run.replace("jedis-standalone", HOSTILE).replace("\"kill\"", '"' + HOSTILER + '"'),
            line.replace("orders", HOSTILE).replace("jedis-0", HOSTILER)));
    tab.click("#open-all");
    tab.click(".matrix thead th button");
    assertThat(tab.text("document.querySelector('dialog h2').textContent")).isEqualTo(HOSTILE);
    assertThat(tab.number("document.documentElement.scrollWidth")).isEqualTo(360);
    tab.key("Escape");
    tab.click("#runs .link");
    assertThat(tab.text("document.querySelector('dialog').innerText")).contains(HOSTILE);
    tab.key("Escape");
    tab.click(".words summary");
    tab.click(".words details summary");
    tab.await("document.querySelector('.events li')");
    assertThat(tab.text("document.querySelector('.events').innerText")).contains(HOSTILER + " ");
    assertThat(tab.number("document.querySelectorAll('img').length")).isZero();
    assertThat(tab.is("window.harm")).isFalse();
    assertThat(tab.number("document.documentElement.scrollWidth")).isEqualTo(360);
  }

  @Test
  void nothingIsWiderThanAPhone() throws Exception {
    tab.size(360, 740, 2, true).open(everything);
    tab.click("#open-all");
    String wide =
        """
        [...document.querySelectorAll('body *')]
            .filter(e => !e.closest('svg') && !e.parentElement.closest('.scroll, nav'))
            .filter(e => e.getBoundingClientRect().right > 360.5 || e.getBoundingClientRect().left < -0.5)
            .map(e => e.tagName + '.' + e.className)""";
    assertThat((List<?>) tab.value(wide)).isEmpty();
    assertThat(tab.number("document.documentElement.scrollWidth")).isEqualTo(360);
    assertThat(tab.is("document.querySelector('.matrix-box').scrollWidth > 360")).isTrue();
    tab.click("tr[data-id='SAFE-4'] td button");
    assertThat((List<?>) tab.value(wide)).isEmpty();
    assertThat(tab.number("document.querySelector('dialog').getBoundingClientRect().bottom"))
        .isEqualTo(740);
  }

  @Test
  void headsStayWhenTheMatrixScrolls() throws Exception {
    tab.size(360, 740, 1, true).open(everything);
    tab.click("#open-all");
    String corners =
        """
        (() => {
          const box = document.querySelector('.matrix-box');
          const place = e => { const r = e.getBoundingClientRect(), b = box.getBoundingClientRect(); return [Math.round(r.left - b.left), Math.round(r.top - b.top)]; };
          return [place(document.querySelector('.corner')), place(document.querySelector('[data-id="SAFE-9"] th'))[0], place(document.querySelectorAll('thead th')[9])[1]];
        })()""";
    Object before = tab.value(corners);
    tab.value("document.querySelector('.matrix-box').scrollTo(400, 500)");
    assertThat(tab.number("document.querySelector('.matrix-box').scrollLeft")).isEqualTo(400);
    assertThat(tab.value(corners)).isEqualTo(before);
  }

  @Test
  void darkIsDarkAndCanBeChosen() throws Exception {
    tab.open(everything);
    String ground = "getComputedStyle(document.body).backgroundColor";
    String light = tab.text(ground);
    String dark = tab.scheme("dark").text(ground);
    assertThat(light).isEqualTo("rgb(247, 246, 242)");
    assertThat(dark).isEqualTo("rgb(20, 23, 26)");
    tab.click("#theme");
    assertThat(tab.text(ground)).isEqualTo(light);
    tab.scheme("light").click("#theme");
    assertThat(tab.text(ground)).isEqualTo(dark);
    tab.click("#theme");
    assertThat(tab.text(ground)).isEqualTo(light);
  }

  @Test
  void reportsAloneAreEnough() throws Exception {
    tab.open(page(report("acme", true, passed("SAFE-1"))));
    assertThat(tab.text("document.querySelector('nav').textContent"))
        .isEqualTo("RequirementsSubjects");
    assertThat(tab.text("document.title")).isEqualTo("Certification of acme");
    assertThat(tab.text("document.querySelector('#subjects').innerText"))
        .contains("acme", "2026-11-17 11:46 UTC", "-9223372036854775808");
  }

  @Test
  void withoutScriptsTheVerdictsAreThere() throws Exception {
    tab.withoutScripts().open(page(report(HOSTILE, true, passed("SAFE-1"))));
    assertThat(tab.text("document.body.innerText")).contains(HOSTILE + "\t✓ certified\tCore");
  }

  /** The check after each test can fail. */
  @Test
  void aPageThatComplainsOrLoadsIsNoticed() throws Exception {
    Path page = folder.resolve("noisy.html");
    Files.writeString(
        page,
        "<body><script>console.error('said'); setTimeout(() => { throw new Error('thrown'); });"
            + "</script><img src='http://127.0.0.1:9/asked'>");
    Tab other = chromium.tab().open(page);
    other.await("document.images[0].complete");
    assertThat(other.complaints())
        .anyMatch(complaint -> complaint.contains("said"))
        .anyMatch(complaint -> complaint.contains("thrown"))
        .anyMatch(complaint -> complaint.contains("requestWillBeSent"));
    assertThat(other.requests()).isGreaterThan(1);
    other.shut();
    tab.open(everything);
  }

  /** With {@code -Dleasehold.page.shots=<folder>}: pictures of the page that is kept. */
  @Test
  @EnabledIfSystemProperty(named = "leasehold.page.shots", matches = ".+")
  void picturesAreTaken() throws Exception {
    Path shots = Path.of(System.getProperty("leasehold.page.shots"));
    tab.open(Samples.KEPT.resolve("index.html")).screenshot(shots.resolve("desktop.png"));
    if (tab.is("document.querySelector('#timeline')")) {
      tab.scheme("dark").value("document.querySelector('#timeline').scrollIntoView()");
      tab.screenshot(shots.resolve("timeline-dark.png"));
    }
    tab.size(360, 740, 2, true).scheme("light");
    tab.value("document.querySelector('#matrix').scrollIntoView()");
    assertThat(tab.screenshot(shots.resolve("phone.png"))).isNotEmptyFile();
  }
}
