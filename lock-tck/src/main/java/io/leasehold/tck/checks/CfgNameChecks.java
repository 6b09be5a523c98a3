package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.CFG_1;
import static io.leasehold.tck.Requirement.CFG_3;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.ErrorCode;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** CFG-1 and CFG-3: names of locks. */
final class CfgNameChecks {
  private static final int MOST_BYTES = 1_024;

  @Verifies(CFG_1)
  void namesThatCannotBeUsedAreRefused(Bench bench) {
    LockClient client = bench.open();
    expectRefused(client, null, "null");
    expectRefused(client, "", "the empty name");
    expectRefused(client, " ", "a blank name");
    expectRefused(client, "\t\n \u2003", "a name of nothing but white space");
    expectRefused(client, "x".repeat(MOST_BYTES + 1), "a name of 1,025 bytes");
    expectRefused(client, "é".repeat(MOST_BYTES / 2) + "x", "513 characters of 1,025 bytes");
    expectRefused(client, "😀".repeat(MOST_BYTES / 4) + "x", "257 characters of 1,025 bytes");
    expectRefused(client, "leasehold:x", "a name that is reserved");
    expectRefused(client, "x\uD83D", "half of a surrogate pair at the end");
    expectRefused(client, "\uDE00x", "half of a surrogate pair at the beginning");
  }

  @Verifies(CFG_1)
  void aPrefixCountsAsPartOfTheName(Bench bench) {
    LockClient client = bench.client().option("prefix", "p".repeat(1_000)).open();
    expectRefused(client, "x".repeat(25), "a name of 1,025 bytes together with its prefix");
    LockClient reserved = bench.client().option("prefix", "lease").open();
    expectRefused(reserved, "hold:x", "a name that is reserved together with its prefix");
  }

  @Verifies(CFG_1)
  void theLongestNameWorks(Bench bench) throws InterruptedException {
    String name = bench.name();
    String longest = name + "é" + "x".repeat(MOST_BYTES - 2 - name.length());
    LockClient client = bench.open();
    Lease lease =
        Calmly.call("tryAcquire of the longest name", () -> client.lock(longest).tryAcquire())
            .orElseThrow(() -> Expect.violation("a lock with the longest name must be free"));
    String other = longest.substring(0, longest.length() - 1) + "y";
    Expect.that(
        client.lock(other).tryAcquire().isPresent(),
        "a name that differs in its last byte must be another lock");
    Expect.equal(ReleaseResult.RELEASED, lease.release(), "the release of the longest name");
  }

  @SuppressWarnings("NullAway") // what callers without a checker do
  private static void expectRefused(LockClient client, @Nullable String name, String what) {
    LockConfigurationException refused =
        Expect.thrown(LockConfigurationException.class, () -> client.lock(name), what);
    Expect.equal(ErrorCode.BAD_NAME, refused.code(), "the code of the error for " + what);
  }

  @Verifies(CFG_3)
  void unusualNamesAreLocksOfTheirOwn(Bench bench) throws InterruptedException {
    String base = bench.name();
    List<String> names =
        List.of(
            base + "a",
            base + "A",
            base + " a",
            base + "a ",
            base + "{a}b",
            base + "{a}c",
            base + "{}",
            base + "{",
            base + "}{",
            "{" + base + "}x",
            "{" + base + "}y",
            "{" + base + "}",
            "{}" + base,
            base + "\u00e9",
            base + "e\u0301",
            base + "\u0000",
            base + "\u0000x",
            base + "\r\n",
            base + "\uFFFF",
            base + "\u202Eabc",
            base + "😀",
            base + "'",
            base + "\"]] redis.call('FLUSHALL') --",
            base + "%s%n%00",
            base + "*",
            base + "?",
            base + "[a]",
            base + "\\",
            base + ":",
            base + "/../x");
    LockClient client = bench.open();
    Map<String, String> owners = new HashMap<>();
    List<Lease> leases = new ArrayList<>();
    for (String name : names) {
      leases.add(
          client
              .lock(name)
              .tryAcquire()
              .orElseThrow(() -> Expect.violation(shown(name) + " is another name's lock")));
    }
    for (String name : names) {
      String owner =
          bench
              .node()
              .inspect(name)
              .holder()
              .orElseThrow(() -> Expect.violation("nobody holds " + shown(name)))
              .owner();
      String twin = owners.put(owner, name);
      Expect.that(twin == null, shown(name) + " and " + shown(String.valueOf(twin)) + " are one");
    }
    leases.forEach(Lease::close);
    for (String name : names) {
      Expect.that(!bench.node().isHeld(name), shown(name) + " was not released");
    }
  }

  private static String shown(String name) {
    StringBuilder text = new StringBuilder("\"");
    name.chars()
        .forEach(c -> text.append(c > 32 && c < 127 ? "" + (char) c : String.format("\\u%04x", c)));
    return text.append('"').toString();
  }
}
