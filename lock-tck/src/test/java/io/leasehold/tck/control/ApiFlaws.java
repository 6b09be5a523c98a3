package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.API_1;
import static io.leasehold.tck.Requirement.API_2;
import static io.leasehold.tck.Requirement.API_3;
import static io.leasehold.tck.Requirement.API_4;
import static io.leasehold.tck.Requirement.API_5;
import static io.leasehold.tck.Requirement.API_6;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLease;
import io.leasehold.tck.forward.ForwardingLock;
import io.leasehold.tck.forward.ForwardingView;
import io.leasehold.tck.wire.ForwardingNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Flaws in what callers rely on. */
final class ApiFlaws {
  private ApiFlaws() {}

  static List<Control> all() {
    return List.of(
        Wrapped.clients("tryAcquire that waits", ApiFlaws::patient, API_1),
        Wrapped.locks("deadline that is used again and again", ApiFlaws::unpunctual, API_2),
        Wrapped.locks("unknown that is taken for busy", ApiFlaws::guessing, API_3),
        Wrapped.openings(
            "node that blocks and does not say so", opening -> opening.tap(ApiFlaws::mute), API_4),
        Wrapped.views("tryLock that overlooks an interruption", ApiFlaws::deaf, API_5),
        Wrapped.views("conditions that nobody signals", ApiFlaws::conditional, API_5, API_6),
        Wrapped.leases("lease that does not know its lock", ApiFlaws::nameless, API_6));
  }

  /** Waits once in its life, which is enough to be seen. */
  private static LockClient patient(LockClient client) {
    AtomicBoolean waited = new AtomicBoolean();
    return new ForwardingClient(client) {
      @Override
      protected DistributedLock around(DistributedLock lock) {
        return new ForwardingLock(lock) {
          @Override
          public Optional<Lease> tryAcquire() {
            Optional<Lease> lease = super.tryAcquire();
            if (lease.isEmpty() && waited.compareAndSet(false, true)) {
              Pause.millis(2_500);
            }
            return lease;
          }
        };
      }
    };
  }

  private static DistributedLock unpunctual(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Lease acquire(Duration wait) throws InterruptedException {
        for (int i = 0; i < 5 && wait.compareTo(Duration.ZERO) > 0; i++) {
          try {
            return super.acquire(wait);
          } catch (LockTimeoutException e) {
            // perhaps next time
          }
        }
        return super.acquire(wait);
      }
    };
  }

  private static DistributedLock guessing(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        try {
          return super.tryAcquire(wait);
        } catch (LockUnavailableException e) {
          return Optional.empty();
        }
      }
    };
  }

  private static LockNode mute(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public boolean blocking() {
        return false;
      }
    };
  }

  private static Lock deaf(Lock view) {
    return new ForwardingView(view) {
      @Override
      public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
          return super.tryLock(time, unit);
        } finally {
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
        }
      }
    };
  }

  private static Lock conditional(Lock view) {
    return new ForwardingView(view) {
      @Override
      public Condition newCondition() {
        return new ReentrantLock().newCondition();
      }
    };
  }

  private static Lease nameless(Lease lease) {
    return new ForwardingLease(lease) {
      @Override
      public String lockName() {
        return "a lock";
      }
    };
  }
}
