package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FAIR_4;
import static io.leasehold.tck.Requirement.LIVE_A_6;
import static io.leasehold.tck.Requirement.STOP_1;
import static io.leasehold.tck.Requirement.STOP_2;
import static io.leasehold.tck.Requirement.STOP_3;
import static io.leasehold.tck.Requirement.STOP_4;
import static io.leasehold.tck.Requirement.STOP_5;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLease;
import io.leasehold.tck.forward.ForwardingLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Flaws in ending things. */
final class StopFlaws {
  private StopFlaws() {}

  static List<Control> all() {
    return List.of(
        Wrapped.locks("interruption that is put off", StopFlaws::stubborn, STOP_1, FAIR_4),
        Wrapped.leases("interrupt flag that is lost", StopFlaws::forgetful, STOP_1),
        Wrapped.locks("cancellation that goes nowhere", StopFlaws::uncancellable, STOP_2, FAIR_4),
        Control.client("close that releases nothing", new CarelessClose(), LIVE_A_6, STOP_3),
        Wrapped.clients("close that works only once", StopFlaws::closedOnce, STOP_4),
        Control.provider(
            "thread that is left behind", (toy, node, url, context) -> withThread(node), STOP_5));
  }

  private static DistributedLock stubborn(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Lease acquire(Duration wait) throws InterruptedException {
        while (true) {
          try {
            return super.acquire(wait);
          } catch (InterruptedException e) {
            // what was begun is brought to its end
          }
        }
      }
    };
  }

  private static Lease forgetful(Lease lease) {
    return new ForwardingLease(lease) {
      @Override
      public ReleaseResult release() {
        ReleaseResult result = super.release();
        Thread.interrupted();
        return result;
      }
    };
  }

  private static DistributedLock uncancellable(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public CompletableFuture<Lease> acquireAsync(Duration wait) {
        return super.acquireAsync(wait).thenApply(lease -> lease);
      }
    };
  }

  private static LockClient closedOnce(LockClient client) {
    AtomicBoolean closed = new AtomicBoolean();
    return new ForwardingClient(client) {
      @Override
      public void close() {
        if (!closed.compareAndSet(false, true)) {
          throw new IllegalStateException("closed before");
        }
        super.close();
      }
    };
  }

  /** Every node has a thread, which outlives it by far. */
  private static LockNode withThread(LockNode node) {
    Thread thread = new Thread(() -> Pause.millis(8_000), "toy-left-behind");
    thread.setDaemon(true);
    thread.start();
    return node;
  }
}
