package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for the world outside of the JVM, which sends no notice: by asking again, with a bound. */
final class Patience {

  private static final long PERIOD_MILLIS = 5;

  private Patience() {}

  /** Asks until there is an answer, and returns it, or none if there was none within the bound. */
  static <T> Optional<T> awaitPresent(Duration bound, Supplier<Optional<T>> question) {
    List<T> answers = new ArrayList<>();
    await(bound, () -> question.get().map(answers::add).orElse(false));
    return answers.stream().findFirst();
  }

  /**
   * Returns whether the condition came true within the bound. An interrupt does not shorten the
   * wait and stays set: a test that interrupts its threads must still get rid of its servers.
   */
  static boolean await(Duration bound, BooleanSupplier condition) {
    long start = System.nanoTime();
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - start > bound.toNanos()) {
          return false;
        }
        try {
          TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
