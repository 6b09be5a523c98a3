package io.leasehold.ctl.demo;

/**
 * What somebody has grabbed.
 *
 * @param grabs how often
 * @param cents how much, all together
 * @param retries how often the servers could not say whether the lock was free
 */
record Tally(long grabs, long cents, long retries) {
  static final Tally NONE = new Tally(0, 0, 0);

  static Tally read(String line) {
    String[] parts = line.split(" ", -1);
    return new Tally(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
  }

  Tally and(Tally other) {
    return new Tally(grabs + other.grabs, cents + other.cents, retries + other.retries);
  }
}
