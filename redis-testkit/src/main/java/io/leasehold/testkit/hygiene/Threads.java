package io.leasehold.testkit.hygiene;

import java.util.regex.Pattern;

/** The platform threads that live. */
final class Threads {
  private static final Pattern NUMBERS = Pattern.compile("\\d+");

  private Threads() {}

  /** By name, without numbers: those of one pool differ by nothing else. */
  static Tally now() {
    return Tally.of(
        Thread.getAllStackTraces().keySet().stream()
            .map(thread -> NUMBERS.matcher(thread.getName()).replaceAll("#")));
  }
}
