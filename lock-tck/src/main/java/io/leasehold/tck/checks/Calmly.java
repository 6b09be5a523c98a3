package io.leasehold.tck.checks;

import io.leasehold.tck.bench.Expect;
import java.util.concurrent.Callable;

/** Calls that must not throw: whatever comes out of them is what the check looks for. */
final class Calmly {
  private Calmly() {}

  /** The result of a call that must not throw. */
  static <T> T call(String what, Callable<T> call) throws InterruptedException {
    try {
      return call.call();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw Expect.violation(what + " must not throw, and threw " + e);
    }
  }

  /** As {@link #call}, for a call without a result. */
  static void run(String what, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      throw Expect.violation(what + " must not throw, and threw " + e);
    }
  }
}
