package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_10;
import static io.leasehold.tck.Requirement.FENCE_4;
import static io.leasehold.tck.Requirement.FENCE_6;

import io.leasehold.LockConfigurationException;
import io.leasehold.spi.Refused;
import io.leasehold.tck.Offer;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Company;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.function.Consumer;

/** FENCE-4, 6 and 10: how far tokens reach, in time and in size. */
final class FenceBoundChecks {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final long SECOND = 1_000_000;
  private static final long YEAR = 365L * 24 * 3_600 * SECOND;
  private static final long TWO_TO_THE_53 = 1L << 53;

  /** The shortest retention that is safe, 10 s, and a little. */
  static final Duration RETENTION = Duration.ofSeconds(11);

  @Verifies(value = FENCE_4, seconds = 40, company = Company.NONE_WHEN_TIME_JUMPS)
  void tokensGrowAlsoWhenTheFenceHasExpired(Bench bench) throws InterruptedException {
    SyncNode node = shortMemory(bench);
    String name = bench.name();
    String first = bench.owner();
    // As far ahead as a client may propose, and then as far behind as one can be.
    long ahead = node.serverMicros() + 4 * SECOND;
    long before = node.granted(SyncNode.request(name, first, TTL, ahead)).token();
    node.release(name, first);
    passTime(bench, RETENTION.plusMillis(500));
    long after = node.granted(SyncNode.request(name, bench.owner(), TTL, 1)).token();
    Expect.that(
        after > before, "after its fence had expired, the token " + after + " followed " + before);
  }

  /** A node that keeps its fences for {@link #RETENTION}, if its provider has that option. */
  static SyncNode shortMemory(Bench bench) {
    try {
      return bench.newNode(bench.client().option("fenceRetention", RETENTION.toSeconds() + "s"));
    } catch (LockConfigurationException e) {
      return bench.newNode(); // a provider that keeps its fences as it likes
    }
  }

  static void passTime(Bench bench, Duration span) throws InterruptedException {
    Offer<Consumer<Duration>> machine = bench.subject().timeMachine();
    if (machine.isPresent()) {
      machine.get().accept(span);
    } else {
      Waiting.pause(span);
    }
  }

  @Verifies(FENCE_6)
  void aClockThatIsYearsAheadDoesNotCarryTheTokensAlong(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    long last = -1;
    for (long ahead : new long[] {YEAR, 100 * YEAR, TWO_TO_THE_53}) {
      String owner = bench.owner();
      long proposal = Math.min(node.serverMicros() + ahead, TWO_TO_THE_53 - 1);
      long token = node.granted(SyncNode.request(name, owner, TTL, proposal)).token();
      expectNear(node, token, "a proposal");
      node.release(name, owner);
      Expect.that(token > last, "the token " + token + " was given out after " + last);
      last = token;
    }
    String owner = bench.owner();
    long honest = node.granted(SyncNode.request(name, owner, TTL, node.serverMicros())).token();
    Expect.that(honest > last, "the token " + honest + " was given out after " + last);
    expectNear(node, honest, "an honest proposal");
  }

  @Verifies(FENCE_6)
  void aRaiseFarAheadIsRefused(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String owner = bench.owner();
    node.granted(name, owner, TTL);
    Expect.type(
        Refused.class,
        node.raise(name, owner, node.serverMicros() + YEAR),
        "the reply to a raise by a year");
    expectNear(node, node.inspect(name).fence(), "a raise");
  }

  private static void expectNear(SyncNode node, long token, String after)
      throws InterruptedException {
    long most = node.serverMicros() + 6 * SECOND;
    Expect.that(
        token <= most,
        "after " + after + " far ahead the token is " + token + ", beyond the clock and 5 s");
  }

  @Verifies(FENCE_10)
  void tokensLieWithinTheirRange(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    for (long proposal : new long[] {0, -1, 1, TWO_TO_THE_53 - 1, 1L << 60}) {
      String name = bench.name();
      for (int i = 0; i < 2; i++) {
        String owner = bench.owner();
        long token = node.granted(SyncNode.request(name, owner, TTL, proposal)).token();
        Expect.that(
            token > 0 && token < TWO_TO_THE_53,
            "the token " + token + " does not lie in (0, 2^53)");
        node.release(name, owner);
      }
    }
  }
}
