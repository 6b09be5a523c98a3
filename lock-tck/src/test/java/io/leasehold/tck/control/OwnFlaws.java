package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.API_6;
import static io.leasehold.tck.Requirement.OWN_1;
import static io.leasehold.tck.Requirement.OWN_2;
import static io.leasehold.tck.Requirement.OWN_3;
import static io.leasehold.tck.Requirement.OWN_4;
import static io.leasehold.tck.Requirement.OWN_5;
import static io.leasehold.tck.Requirement.OWN_6;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLease;
import io.leasehold.tck.forward.ForwardingLock;
import io.leasehold.tck.forward.ForwardingView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Flaws in whom a lock belongs to. */
final class OwnFlaws {
  /** How many unlocks of this thread have been done too early. */
  private static final ThreadLocal<Integer> EARLY = ThreadLocal.withInitial(() -> 0);

  private OwnFlaws() {}

  static List<Control> all() {
    return List.of(
        Wrapped.views("first unlock releases", OwnFlaws::uncounted, OWN_1),
        Wrapped.views("unlock by anybody is ignored", OwnFlaws::lenient, OWN_2, API_6),
        Wrapped.leases("release that never reports a loss", OwnFlaws::cheerful, OWN_3, API_6),
        Wrapped.views("re-entry after a loss", OwnFlaws::heedless, OWN_4),
        Wrapped.leases("lease that belongs to a thread", OwnFlaws::threadBound, OWN_5),
        Wrapped.clients("lease that its thread gets again", OwnFlaws::reentrant, OWN_6));
  }

  private static Lock uncounted(Lock view) {
    return new ForwardingView(view) {
      @Override
      public void unlock() {
        int early = EARLY.get();
        if (early > 0) {
          EARLY.set(early - 1); // it was unlocked with the first
          return;
        }
        super.unlock();
        try {
          for (early = 0; true; early++) {
            super.unlock();
          }
        } catch (IllegalMonitorStateException e) {
          EARLY.set(early);
        }
      }
    };
  }

  private static Lock lenient(Lock view) {
    return new ForwardingView(view) {
      @Override
      public void unlock() {
        try {
          super.unlock();
        } catch (IllegalMonitorStateException e) {
          if (e.getCause() != null) {
            throw e;
          }
        }
      }
    };
  }

  private static Lease cheerful(Lease lease) {
    return new ForwardingLease(lease) {
      @Override
      public ReleaseResult release() {
        ReleaseResult result = super.release();
        return result == ReleaseResult.LOST && expired() ? ReleaseResult.RELEASED : result;
      }

      private boolean expired() {
        try {
          ensureHeld();
          return false;
        } catch (LeaseLostException e) {
          return e.reason() == LossReason.EXPIRED;
        }
      }
    };
  }

  private static Lock heedless(Lock view) {
    return new ForwardingView(view) {
      @Override
      public void lock() {
        try {
          super.lock();
        } catch (LeaseLostException e) {
          return; // it was ours a moment ago
        }
      }

      @Override
      public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        try {
          return super.tryLock(time, unit);
        } catch (LeaseLostException e) {
          return true;
        }
      }
    };
  }

  private static Lease threadBound(Lease lease) {
    Thread owner = Thread.currentThread();
    return new ForwardingLease(lease) {
      @Override
      public ReleaseResult release() {
        return Thread.currentThread() == owner ? super.release() : ReleaseResult.LOST;
      }
    };
  }

  /** A client that gives a thread the lease which it has already, instead of none. */
  private static LockClient reentrant(LockClient client) {
    record Holder(String name, Thread thread) {}
    Map<Holder, Lease> leases = new ConcurrentHashMap<>();
    return new ForwardingClient(client) {
      @Override
      protected DistributedLock around(DistributedLock lock) {
        return new ForwardingLock(lock) {
          @Override
          protected Lease around(Lease lease) {
            leases.put(new Holder(name(), Thread.currentThread()), lease);
            return lease;
          }

          @Override
          public Optional<Lease> tryAcquire() {
            Lease known = leases.get(new Holder(name(), Thread.currentThread()));
            return known != null && known.isHeld() ? Optional.of(known) : super.tryAcquire();
          }
        };
      }
    };
  }
}
