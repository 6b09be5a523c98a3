package io.leasehold.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Tells who watches what runs, the how-manieth of how many steps it is, and how long it has taken
 * and will take. On a terminal it is one line that changes.
 */
final class Progress {
  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private final int steps;
  private final double expected;
  private final long start;
  private int begun;
  private double done;

  /**
   * @param expected how many seconds all steps take, roughly
   */
  Progress(PrintStream out, boolean terminal, LongSupplier nanoTime, int steps, double expected) {
    this.out = out;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.steps = steps;
    this.expected = expected;
    this.start = nanoTime.getAsLong();
  }

  /** The next step begins; those before it were expected to take so many seconds in all. */
  void begin(String label, double before) {
    begun++;
    done = before;
    String line =
        String.format(
            Locale.ROOT,
            "[%d/%d] %s gone, about %s left  %s",
            begun,
            steps,
            clock(gone()),
            clock(left()),
            label);
    out.print(terminal ? "\r\033[K" + line : line + System.lineSeparator());
    out.flush();
  }

  /** Everything is over. */
  void end() {
    out.print((terminal ? "\r\033[K" : "") + "Done in " + clock(gone()) + System.lineSeparator());
    out.flush();
  }

  private double gone() {
    return (nanoTime.getAsLong() - start) / 1e9;
  }

  /** What is left by the plan, stretched by how much longer it has taken so far. */
  private double left() {
    double stretch = done < 1 ? 1 : Math.max(0.5, gone() / done);
    return (expected - done) * stretch;
  }

  private static String clock(double seconds) {
    long whole = Math.round(Math.max(0, seconds));
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
