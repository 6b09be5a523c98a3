package io.leasehold.ctl.run;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.Durations;
import io.leasehold.ctl.ExitCodes;
import java.time.Duration;
import java.util.Optional;

/**
 * When a command is ended, told by how much longer its lease is certainly valid.
 *
 * <pre>
 *  granted or renewed                                                     nobody else before here
 *  |----------- renewed at a third --------------|-- grace --|---- margin ----|
 *                                              TERM        KILL          validity ends
 * </pre>
 *
 * The grace is spent before the end of the validity, not after it; the margin is for the KILL to
 * take effect.
 *
 * @param lease how long a lease lasts
 * @param grace between TERM and KILL
 * @param margin between KILL and the end of the validity
 */
record Times(Duration lease, Duration grace, Duration margin) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LEAST_MARGIN = Duration.ofMillis(100);
  private static final Duration MOST_MARGIN = Duration.ofSeconds(1);

  /**
   * @param wanted the grace, if the person said one
   * @throws CommandFailure when they do not go together
   */
  static Times of(Duration lease, Optional<Duration> wanted) {
    if (lease.compareTo(SHORTEST) < 0) {
      throw new CommandFailure(
          ExitCodes.USAGE, "A lease of less than 1s is too short for a process.");
    }
    Duration longest = lease.dividedBy(3);
    Duration grace = wanted.orElse(lease.dividedBy(6));
    if (grace.compareTo(longest) > 0) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "A grace of "
              + Durations.shown(grace)
              + " is more than a third of the lease ("
              + Durations.shown(lease)
              + "): it is spent before the lease ends, and renewals need the rest. Say a longer"
              + " --lease or a shorter --grace.");
    }
    Duration tenth = lease.dividedBy(10);
    Duration margin = tenth.compareTo(MOST_MARGIN) > 0 ? MOST_MARGIN : tenth;
    return new Times(lease, grace, margin.compareTo(LEAST_MARGIN) < 0 ? LEAST_MARGIN : margin);
  }

  /** With no more than this left, the command is asked to end. */
  Duration askWithin() {
    return grace.plus(margin);
  }

  /** How often the lease is looked at. */
  Duration look() {
    Duration tenth = lease.dividedBy(10);
    return tenth.compareTo(Duration.ofSeconds(1)) > 0 ? Duration.ofSeconds(1) : tenth;
  }
}
