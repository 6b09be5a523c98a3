package io.leasehold.tck.history;

import java.nio.file.Path;

/**
 * Judges a folder of histories in a process of its own, whose memory can be bounded, and prints
 * what came of it: a line of numbers, and then one line for each violation.
 */
final class Judge {
  private Judge() {}

  @SuppressWarnings("SystemOut") // it is how it answers
  public static void main(String[] arguments) {
    History history = History.readFolder(Path.of(arguments[0]));
    HistoryVerdict verdict = HistoryChecker.check(history, LongHistoriesTest.BOUNDS);
    System.out.println(verdict.grants() + " grants");
    for (Violation violation : verdict.violations()) {
      System.out.println(violation.rule() + " " + violation.lock() + " " + violation.text());
    }
  }
}
