package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_10;

import io.leasehold.spi.Capability;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Company;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;

/** LIVE-A-10: what has expired is removed. */
final class LiveRemovalChecks {
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final int NAMES = 20;

  @Verifies(value = LIVE_A_10, seconds = 240, company = Company.NONE_WHEN_TIME_JUMPS)
  void locksAndFencesThatHaveExpiredAreRemoved(Bench bench) throws InterruptedException {
    StoredEntries stored = bench.subject().storedEntries().get();
    SyncNode node = FenceBoundChecks.shortMemory(bench);
    String base = bench.name() + "-expires";
    for (int i = 0; i < NAMES; i++) {
      String owner = bench.owner();
      node.granted(base + i, owner, TTL);
      if (i == 0) {
        Expect.that(
            stored.count(base) > 0,
            "the subject counts no entry while a lock is held: storedEntries()");
      }
      if (i % 2 == 0) {
        node.release(base + i, owner);
      }
    }
    FenceBoundChecks.passTime(
        bench, node.has(Capability.FENCING) ? FenceBoundChecks.RETENTION.plus(TTL) : TTL);
    expectRemoved(bench, stored, node, base);
  }

  /** Goes on taking another lock, because a provider may remove what has expired when it serves. */
  private static void expectRemoved(Bench bench, StoredEntries stored, SyncNode node, String base)
      throws InterruptedException {
    Duration bound = bench.within(stored.removedWithin());
    long end = System.nanoTime() + bound.toNanos();
    String other = bench.name();
    long left = stored.count(base);
    while (left > 0) {
      Expect.that(
          System.nanoTime() - end < 0,
          left
              + " entries of "
              + NAMES
              + " names were still stored "
              + bound.toMillis()
              + " ms after they had expired");
      String owner = bench.owner();
      node.granted(other, owner, TTL);
      node.release(other, owner);
      Waiting.pause(BETWEEN_LOOKS);
      left = stored.count(base);
    }
  }
}
