package io.leasehold.benchmarks.scenario;

import java.time.Duration;

/**
 * How much time a run takes.
 *
 * @param rounds how often each contestant has its turn
 * @param slice how long one turn is
 * @param leadIn how long it runs before each turn: what ran before it has an effect on the
 *     operating system for a while
 * @param warmUp how long each contestant runs before the first round
 * @param waiting how long the clients that wait are watched
 * @param holding how long the held leases are watched
 * @param leases how many they are
 * @param waiters how many clients wait
 * @param processes how many processes share a lock
 */
public record Pace(
    int rounds,
    Duration slice,
    Duration leadIn,
    Duration warmUp,
    Duration waiting,
    Duration holding,
    int leases,
    int waiters,
    int processes) {

  /** What the issue asks to see. */
  public static final Pace FULL =
      new Pace(
          5,
          Duration.ofMillis(1_500),
          Duration.ofMillis(500),
          Duration.ofSeconds(6),
          Duration.ofSeconds(15),
          Duration.ofSeconds(120),
          100_000,
          200,
          4);

  /** The same with less patience; each lease is still renewed once. */
  public static final Pace QUICK =
      new Pace(
          3,
          Duration.ofMillis(300),
          Duration.ZERO,
          Duration.ofMillis(500),
          Duration.ofSeconds(15),
          Duration.ofSeconds(12),
          100_000,
          200,
          4);

  private static final int FINER = 3;
  private static final int LONGER = 3;

  /** The same with another number of rounds. */
  public Pace withRounds(int number) {
    return new Pace(number, slice, leadIn, warmUp, waiting, holding, leases, waiters, processes);
  }

  /**
   * The same where it takes longer until all has come to rest: the compiler, and where the
   * operating system has which thread.
   */
  public Pace settled() {
    return new Pace(
        rounds,
        slice,
        leadIn.multipliedBy(LONGER),
        warmUp.multipliedBy(LONGER),
        waiting,
        holding,
        leases,
        waiters,
        processes);
  }

  /** The same in more and shorter turns, where those need not be long. */
  public Pace finer() {
    return new Pace(
        rounds * FINER,
        slice.dividedBy(FINER),
        leadIn,
        warmUp,
        waiting,
        holding,
        leases,
        waiters,
        processes);
  }
}
