package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.INSP_3;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LockStatus;
import io.leasehold.LossReason;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** INSP-3: a release by force. */
final class ForceChecks {
  private static final Duration SHORT = Duration.ofMillis(900);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Hears of releases by force. */
  private static final class Audit implements LockListener {
    private final Map<String, LockStatus> told = new ConcurrentHashMap<>();

    @Override
    public LockObserver start(AcquireCall call) {
      return new LockObserver() {};
    }

    @Override
    public void forced(LockStatus before, String why) {
      told.put(why, before);
    }
  }

  @Verifies(INSP_3)
  void aReleaseByForceEndsTheLockAndEverybodyConcernedIsTold(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    Audit audit = new Audit();
    LockClient operator = bench.client().listener(audit).open();
    Lease lease = bench.client().lease(SHORT).open().lock(name).acquire(PATIENCE);
    LossLog losses = LossLog.of(lease);
    LockStatus before = operator.forceRelease(name, "it hangs");
    Expect.that(before.holder().isPresent(), "who forces a lock must be told who held it before");
    Expect.equal(
        Map.of("it hangs", before), Map.copyOf(audit.told), "what the operator's listener heard");
    String successor = bench.owner();
    bench.node().granted(name, successor, Duration.ofSeconds(20));
    losses.expect(LossReason.FORCED, bench.within(SHORT));
    Expect.that(!lease.isHeld(), "a lease that was ended by force must not be held");
    lease.close();
    Waiting.pause(Duration.ofMillis(100));
    Expect.equal(1, losses.count(), "the number of times that a loss is told");
    Expect.equal(
        List.of(successor),
        bench.node().inspect(name).holders().stream().map(h -> h.owner()).toList(),
        "the holder after that");
  }

  @Verifies(INSP_3)
  void whereNobodyHoldsALockNothingIsForcedAndNothingTold(Bench bench) {
    Audit audit = new Audit();
    LockStatus before =
        bench.client().listener(audit).open().forceRelease(bench.name(), "a mistake");
    Expect.that(before.holder().isEmpty(), "a lock that nobody held must be told so");
    Expect.that(audit.told.isEmpty(), "what was not forced must not be told as such");
  }
}
