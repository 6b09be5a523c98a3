package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_11;
import static io.leasehold.tck.Requirement.SAFE_13;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Findings;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.Vouching;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** SAFE-11 and SAFE-13: settings of servers, and of other clients, that weaken locks. */
final class SafeSettingChecks {
  private static final Duration WAIT = Duration.ofSeconds(5);

  @Verifies(SAFE_11)
  void aServerThatMayDropLocksIsRefusedOrToldOf(Bench bench) throws InterruptedException {
    Told told = new Told();
    LockClient client;
    try {
      client = evicting(bench).tap(told).open();
    } catch (LockUnavailableException | LockConfigurationException e) {
      return; // refused
    }
    expectCaution(bench, client, told, opening -> opening);
  }

  @Verifies(SAFE_11)
  void withTheGuardOnAServerThatMayDropLocksIsRefused(Bench bench) throws InterruptedException {
    Told told = new Told();
    LockClient client;
    try {
      client = evicting(bench).option("guard", "on").tap(told).open();
    } catch (LockUnavailableException | LockConfigurationException e) {
      return; // refused; or the provider has no such option
    }
    Expect.that(
        told.node().capabilities().contains(Capability.GUARD),
        "a node that was opened with guard=on must declare GUARD");
    expectCaution(bench, client, told, opening -> opening.option("guard", "on"));
  }

  @Verifies(SAFE_11)
  void withTheGuardOffAServerThatMayDropLocksIsToldOf(Bench bench) throws InterruptedException {
    Told told = new Told();
    LockClient client;
    try {
      client = evicting(bench).option("guard", "off").tap(told).open();
    } catch (LockConfigurationException e) {
      Expect.equal("guard", e.key(), "the option that is refused");
      return; // the provider has no such option
    } catch (LockUnavailableException e) {
      // Also to be sure that the server is there: one that is not is refused in any case.
      throw Expect.violation("with guard=off a client must open, and threw " + e);
    }
    expectCaution(bench, client, told, opening -> opening.option("guard", "off"));
  }

  /** The client was opened: with a guard it gets no lock there, without one it tells. */
  private static void expectCaution(
      Bench bench, LockClient client, Told told, UnaryOperator<Opening> setting)
      throws InterruptedException {
    if (told.node().capabilities().contains(Capability.GUARD)) {
      vouch(bench, told); // so that what is seen is not the quarantine of a new server
      LockUnavailableException refusal =
          Expect.thrown(
              LockUnavailableException.class,
              client.lock(bench.name())::tryAcquire,
              "with the guard on, tryAcquire on a server that may drop locks");
      Expect.that(
          refusal.answers().stream().noneMatch(a -> a.kind() == NodeAnswer.Kind.GUARDED),
          "it must be refused for what may be dropped, and is for a restart: " + refusal);
      return;
    }
    Told own = new Told();
    use(setting.apply(bench.client()).tap(own).open(), bench.name());
    Set<String> ordinary =
        own.findings().stream().map(Findings.Finding::id).collect(Collectors.toSet());
    use(client, bench.name());
    Waiting.until(
        "a finding about a server that may drop locks, and about no other",
        bench.within(Duration.ZERO),
        () -> told.news(Set.of()).stream().anyMatch(finding -> !ordinary.contains(finding.id())));
  }

  private static void vouch(Bench bench, Told told) throws InterruptedException {
    Vouching vouching =
        told.node()
            .offer(Vouching.class)
            .orElseThrow(() -> Expect.violation("GUARD is declared, and Vouching not offered"));
    Waiting.result("an answer", bench.within(WAIT), vouching.vouch().toCompletableFuture());
  }

  private static Opening evicting(Bench bench) {
    return bench.client().url(bench.subject().evictingUrl().get());
  }

  @Verifies(SAFE_13)
  void clientsThatDisagreeAboutTheLongestLeaseAreNoticed(Bench bench) throws InterruptedException {
    Told shorter = new Told();
    Told longer = new Told();
    LockClient first = bounded(bench, "20s").tap(shorter).open();
    LockClient second = bounded(bench, "40s").tap(longer).open();
    Set<Findings.Finding> shorterBefore = shorter.findings();
    Set<Findings.Finding> longerBefore = longer.findings();
    String name = bench.name(); // one for both: in a cluster, servers know only their own clients
    for (int i = 0; i < 2; i++) { // so that each of them comes after the other
      use(first, name);
      use(second, name);
    }
    Waiting.until(
        "a finding of one of two clients, one with maxLease=20s and one with maxLease=40s",
        bench.within(Duration.ZERO),
        () -> !shorter.news(shorterBefore).isEmpty() || !longer.news(longerBefore).isEmpty());
  }

  private static Opening bounded(Bench bench, String maxLease) {
    return bench.client().lease(WAIT).option("maxLease", maxLease);
  }

  /** Takes a lock and gives it back; whether that must succeed is other checks' business. */
  private static void use(LockClient client, String name) throws InterruptedException {
    try (Lease lease = client.lock(name).acquire(WAIT)) {
      lease.ensureHeld();
    } catch (LockException e) {
      System.getLogger(SafeSettingChecks.class.getName())
          .log(System.Logger.Level.DEBUG, "a lock was not to be had", e);
    }
  }
}
