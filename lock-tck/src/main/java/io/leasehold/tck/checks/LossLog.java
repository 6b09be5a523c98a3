package io.leasehold.tck.checks;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LossReason;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the holder of a lease was told about its loss. */
final class LossLog {
  private final List<LeaseLoss> told = new CopyOnWriteArrayList<>();

  private LossLog() {}

  /** Listens to a lease. */
  static LossLog of(Lease lease) {
    LossLog log = new LossLog();
    lease.onLost(log.told::add);
    return log;
  }

  /** How often a loss was told. */
  int count() {
    return told.size();
  }

  /** Waits until the loss is told, with this reason. */
  void expect(LossReason reason, Duration bound) throws InterruptedException {
    Waiting.until("a lost lease is told its loss (" + reason + ")", bound, () -> count() > 0);
    Expect.equal(reason, told.get(0).reason(), "the reason of the loss");
  }
}
