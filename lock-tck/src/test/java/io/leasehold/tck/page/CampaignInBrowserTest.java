package io.leasehold.tck.page;

import static io.leasehold.tck.page.Samples.passed;
import static io.leasehold.tck.page.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A campaign and its time line in a real browser. */
class CampaignInBrowserTest extends InBrowser {

  CampaignInBrowserTest(@TempDir Path folder) {
    super(folder);
  }

  @Test
  void theCampaignIsToldAsItWas() throws Exception {
    tab.open(everything);
    assertThat(tab.text("document.querySelector('#campaign').innerText"))
        .contains("2,188,004\noperations", "1,089,540\ngrants", "1,064\nfaults", "0\nviolations")
        .contains("3 of 3\nknown races found, as they must")
        .contains("restart-empty\n90\nclient-kill\n88");
    assertThat(tab.number("document.querySelectorAll('#runs tbody tr').length")).isEqualTo(15);
    tab.click("#runs .race .link");
    assertThat(tab.text("document.querySelector('dialog').innerText"))
        .contains("✓ race found, as it must", "OVERLAP of orders", "Guard\noff");
  }

  @Test
  void aCampaignThatFoundWhatMustNotBeIsNotSound() throws Exception {
    String campaign = Samples.resource("campaign.json");
    String hidden = campaign.replaceFirst("\"violations\": \\[]", "\"violations\": [\"OVERLAP\"]");
    tab.open(page(report("acme", true, passed("SAFE-1")), hidden));
    assertThat(tab.text("document.querySelector('#verdict').innerText"))
        .contains(
            "acme is certified", "The fault campaign found what must not be", "1\nviolations");
    assertThat(tab.is("document.querySelector('.verdict.bad')")).isTrue();
  }

  @Test
  void aRaceThatWasNotFoundIsNotSound() throws Exception {
    String blind =
        Samples.resource("campaign.json")
            .replaceAll("(?s)\"violations\": \\[\\s*\"[^]]*]", "\"violations\": []");
    tab.open(page(report("acme", true, passed("SAFE-1")), blind));
    assertThat(tab.text("document.querySelector('#campaign').innerText"))
        .contains("0 of 3\nknown races", "✕ race NOT found");
    assertThat(tab.is("document.querySelector('.verdict.bad')")).isTrue();
  }

  @Test
  void whatIsNotPromisedMayBeFoundAndEverythingElseMayNot() throws Exception {
    String campaign = Samples.resource("campaign.json");
    String allowed = campaign.replace("\"race\"", "\"any\"");
    tab.open(page(report("acme", true, passed("SAFE-1")), allowed));
    assertThat(tab.text("document.querySelector('#campaign').innerText"))
        .contains("0\nviolations", "✓ 1 overlap, not promised here");
    assertThat(tab.is("document.querySelector('.verdict.good')")).isTrue();
    tab.open(page(report("acme", true, passed("SAFE-1")), allowed.replace("OVERLAP", "STARVED")));
    assertThat(tab.text("document.querySelector('#campaign').innerText"))
        .contains("3\nviolations", "✕ 1 violation");
    assertThat(tab.is("document.querySelector('.verdict.bad')")).isTrue();
  }

  @Test
  void clientsOfOneProcessAndManyLocksAreToldApart() throws Exception {
    StringBuilder spans = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      spans.append(i == 0 ? "" : ",").append(span("lock-" + i, i * 10, i * 10 + 10));
    }
    String line =
        """
        {"name": "n", "seed": "1", "title": "t", "millis": 200, "faults": [], "lanes": [
          {"process": "one", "spans": [%s]}, {"process": "one", "spans": [%s]}]}"""
            .formatted(spans, span("lock-0", 150, 160));
    tab.open(page(report("acme", true, passed("SAFE-1")), line));
    assertThat(tab.text("document.querySelector('.names').textContent")).isEqualTo("oneone (2)");
    assertThat(tab.number("document.querySelectorAll('.picture .spans').length")).isEqualTo(12);
    String tops =
        "new Set([...document.querySelectorAll('.picture .spans path')]"
            + ".flatMap(p => p.getAttribute('d').match(/M[^ ]+ [0-9.]+/g)).map(m => m.split(' ')[1])).size";
    assertThat(tab.number(tops)).as("one row for each client").isEqualTo(2);
    tab.value("document.querySelector('.line-box').focus()");
    tab.key("ArrowRight");
    tab.key("ArrowDown");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .isEqualTo("one (2) held lock-0 from 150 ms to 160 ms (10 ms), token 7");
    assertThat(tab.text("document.querySelector('#timeline').innerText"))
        .contains("1 process, 0 faults", "12 locks; 8 colours");
  }

  private static String span(String lock, int from, int to) {
    return """
        {"what": "held", "lock": "%s", "kind": "mutex", "from": %d, "to": %d, "token": "7"}"""
        .formatted(lock, from, to);
  }

  @Test
  void aWaitThatWasEndedByAKillIsMarkedThere() throws Exception {
    String wait = span("lock-0", 20, 60).replace("held", "waiting");
    String line =
        """
        {"name": "n", "seed": "1", "title": "t", "millis": 200,
          "faults": [{"kind": "kill-client", "target": "one", "from": 60, "to": 80}], "lanes": [
          {"process": "one", "spans": [%s]}, {"process": "two", "spans": [%s]}]}"""
            .formatted(wait.replace("}", ", \"killed\": true}"), wait);
    tab.open(page(report("acme", true, passed("SAFE-1")), line));
    String marks = "document.querySelector('.picture .killed').getAttribute('d')";
    assertThat(tab.number(marks + ".split('M').length - 1")).as("one of the two").isOne();
    assertThat(
            tab.number(
                "Math.round(1000 * parseFloat(%s.slice(1)) / %s)"
                    .formatted(
                        marks, "document.querySelector('.picture svg').width.baseVal.value")))
        .as("at 60 of 200 ms")
        .isEqualTo(300);
    assertThat(tab.text("document.querySelector('.legend').innerText"))
        .contains("killed while it waited");
    tab.value("document.querySelector('.line-box').focus()");
    tab.key("ArrowRight");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .startsWith("one waited for lock-0 from 20 ms to 60 ms (40 ms)")
        .endsWith(", and was killed then");
    tab.key("ArrowDown");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .startsWith("two waited for lock-0")
        .doesNotContain("killed");
  }

  @Test
  void theTimeLineShowsEverySpanAndEveryFault() throws Exception {
    tab.open(everything);
    Members line = Members.of(Json.read(Samples.resource("timeline.json")));
    long spans = line.list("lanes").stream().mapToInt(lane -> lane.list("spans").size()).sum();
    assertThat(
            tab.number(
                "[...document.querySelectorAll('.picture .spans path:first-child')]"
                    + ".reduce((n, path) => n + path.getAttribute('d').split('M').length - 1, 0)"))
        .isEqualTo(spans);
    assertThat(tab.number("document.querySelectorAll('.picture .tag').length"))
        .isEqualTo(line.list("faults").size());
    assertThat(tab.number("document.querySelectorAll('[data-what=lost] .cross').length")).isOne();
    tab.point("[data-what=lost] .lost");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .isEqualTo("lettuce-1 had lost orders from 7,000 ms to 7,900 ms (900 ms), token 131");
    tab.point(".picture .tag");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .isEqualTo("kill of server-1 from 3,000 ms to 4,300 ms");
    // Where a second was, it is drawn: at 3 of 12 seconds.
    assertThat(
            tab.number(
                "1000 * document.querySelector('.picture .band').getAttribute('x') /"
                    + " document.querySelector('.picture svg').width.baseVal.value"))
        .isEqualTo(250);
    tab.value("document.querySelector('.line-box').focus()");
    tab.key("ArrowLeft");
    assertThat(tab.text("document.querySelector('.readout').textContent"))
        .startsWith("lettuce-1 ")
        .contains(" held ");
    int before = tab.number("document.querySelector('.picture svg').width.baseVal.value");
    tab.key("+");
    assertThat(tab.number("document.querySelector('.picture svg').width.baseVal.value"))
        .isEqualTo((int) (before * 1.6));
    tab.click("[data-view='lock']");
    assertThat(tab.number("document.querySelectorAll('.picture [data-what=waiting]').length"))
        .isZero();
    assertThat(tab.text("document.querySelector('.names').textContent"))
        .isEqualTo("catalogueinvoicesorders");
  }
}
