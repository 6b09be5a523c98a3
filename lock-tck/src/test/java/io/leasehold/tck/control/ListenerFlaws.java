package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.OBS_1;
import static io.leasehold.tck.Requirement.OBS_2;
import static io.leasehold.tck.Requirement.OBS_3;
import static io.leasehold.tck.Requirement.OBS_4;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.forward.ForwardingLock;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Flaws in telling what happens. */
final class ListenerFlaws {
  private ListenerFlaws() {}

  static List<Control> all() {
    return List.of(
        observed("loss that is not heard", ListenerFlaws::deaf, OBS_1),
        observed("loss that is heard twice", ListenerFlaws::echoing, OBS_1),
        observed("second round that is not heard", ListenerFlaws::simple, OBS_2),
        Wrapped.locks("failure that names nobody", ListenerFlaws::anonymous, OBS_3),
        Wrapped.openings(
            "observers that callers wait for",
            opening -> opening.eachListener(ListenerFlaws::onTheCallersThread),
            OBS_4));
  }

  private static Control observed(
      String name, UnaryOperator<LockObserver> flaw, Requirement... fails) {
    return Wrapped.openings(
        name,
        opening -> opening.eachListener(listener -> call -> flaw.apply(listener.start(call))),
        fails);
  }

  private static LockObserver deaf(LockObserver observer) {
    return new ForwardingObserver(observer) {
      @Override
      public void lost(Moment moment, LossReason reason) {
        if (reason != LossReason.TAKEN) {
          super.lost(moment, reason);
        }
      }
    };
  }

  private static LockObserver echoing(LockObserver observer) {
    return new ForwardingObserver(observer) {
      @Override
      public void lost(Moment moment, LossReason reason) {
        super.lost(moment, reason);
        super.lost(moment, reason);
      }
    };
  }

  private static LockObserver simple(LockObserver observer) {
    return new ForwardingObserver(observer) {
      @Override
      public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
        super.acquired(moment, token, 1, answers);
      }
    };
  }

  private static DistributedLock anonymous(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Optional<Lease> tryAcquire() {
        try {
          return super.tryAcquire();
        } catch (LockUnavailableException e) {
          throw new LockUnavailableException("The lock is unavailable", List.of(), null);
        }
      }
    };
  }

  private static LockListener onTheCallersThread(LockListener listener) {
    return call -> {
      LockObserver observer = listener.start(call);
      observer.woken(new LockObserver.Moment(System.nanoTime(), System.currentTimeMillis()));
      return observer;
    };
  }
}
