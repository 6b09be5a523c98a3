package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.Ctl;
import io.leasehold.ctl.Drivers;
import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Vouching;
import io.leasehold.testkit.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** What the doctor said about a URL. */
record Said(Report report) {

  static Said of(String url) {
    return new Said(Examination.of(LockUrl.parse(url), Drivers.all()));
  }

  /** The URL of one server, with options. */
  static String url(RedisServer server, String... options) {
    return "lock:jedis:redis://127.0.0.1:" + server.port() + Ctl.PATIENT + more(options);
  }

  /** The URL of a quorum, with options. */
  static String quorum(List<Integer> ports, String... options) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(
            Collectors.joining(",", "lock:redlock:jedis:redis://", Ctl.PATIENT + more(options)));
  }

  static String more(String... options) {
    return Arrays.stream(options).map(option -> "&" + option).collect(Collectors.joining());
  }

  /** Tells the guard of servers that they are new. */
  static void vouchFor(String url) throws Exception {
    AtomicReference<LockNode> node = new AtomicReference<>();
    LockClient client =
        Locks.builder()
            .url(url)
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open();
    try {
      assertThat(
              Objects.requireNonNull(node.get())
                  .offer(Vouching.class)
                  .orElseThrow()
                  .vouch()
                  .toCompletableFuture()
                  .get(30, TimeUnit.SECONDS))
          .isNotInstanceOf(Failed.class);
    } finally {
      client.close();
    }
  }

  List<Finding> about(Check check) {
    return report.sections().stream()
        .flatMap(section -> section.findings().stream())
        .filter(finding -> finding.check() == check)
        .toList();
  }

  /** The worst that was found about something, which must be this. */
  Finding worst(Check check, Verdict verdict) {
    Finding worst =
        about(check).stream()
            .max((one, other) -> one.verdict().compareTo(other.verdict()))
            .orElseThrow(() -> new AssertionError("nothing about " + check + ":\n" + this));
    assertThat(worst.verdict()).as("%s in:%n%s", check, this).isEqualTo(verdict);
    assertThat(worst.fix().isPresent()).as(worst.text()).isEqualTo(verdict != Verdict.OK);
    return worst;
  }

  Said finds(Check check, Verdict verdict, String... words) {
    String finding = worst(check, verdict).toString();
    assertThat(words).allSatisfy(word -> assertThat(finding).contains(word));
    return this;
  }

  /** Nothing else is wrong than what was found about these. */
  Said andNothingElse(Check... but) {
    List<Check> known = List.of(but);
    assertThat(report.sections().stream().flatMap(section -> section.findings().stream()))
        .as(toString())
        .filteredOn(finding -> finding.verdict() != Verdict.OK)
        .extracting(Finding::check)
        .isSubsetOf(known);
    return this;
  }

  void allIsWell() {
    andNothingElse();
    assertThat(report.exitCode(true)).isZero();
  }

  @Override
  public String toString() {
    return String.join("\n", report.lines());
  }
}
