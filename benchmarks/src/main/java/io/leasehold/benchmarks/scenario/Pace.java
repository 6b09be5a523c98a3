package io.leasehold.benchmarks.scenario;

import java.time.Duration;

/**
 * How much time a run takes.
 *
 * @param rounds how often each contestant has its turn
 * @param slice how long one turn is
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
          Duration.ofMillis(500),
          Duration.ofSeconds(15),
          Duration.ofSeconds(12),
          100_000,
          200,
          4);

  private static final int FINER = 3;

  /** The same with another number of rounds. */
  public Pace withRounds(int number) {
    return new Pace(number, slice, warmUp, waiting, holding, leases, waiters, processes);
  }

  /** The same in more and shorter turns: for one thread, whose turns need not be long. */
  public Pace finer() {
    return new Pace(
        rounds * FINER,
        slice.dividedBy(FINER),
        warmUp,
        waiting,
        holding,
        leases,
        waiters,
        processes);
  }
}
