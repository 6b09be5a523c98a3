package io.leasehold.ctl.doctor;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisProbe;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far a server's clock is ahead of this machine's, and how long it takes to answer. Both come
 * from asking it for the time again and again: the difference from the quickest answer, halfway of
 * which the server looked at its clock.
 *
 * @param aheadMicros how far its clock is ahead; negative when it is behind
 * @param uncertainMicros by how much that may be wrong
 * @param nanos what the round trips took, in rising order
 */
record Clock(long aheadMicros, long uncertainMicros, List<Long> nanos) {
  private static final int SAMPLES = 50;
  private static final int LEAST_SAMPLES = 3;
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /** Empty when the server does not tell the time. */
  static Optional<Clock> of(RedisProbe probe, Endpoint server) {
    List<Long> nanos = new ArrayList<>();
    long best = Long.MAX_VALUE;
    long ahead = 0;
    long end = System.nanoTime() + LONGEST.toNanos();
    while (nanos.size() < LEAST_SAMPLES
        || (nanos.size() < SAMPLES && System.nanoTime() - end < 0)) {
      long began = System.nanoTime();
      long wall = micros(Instant.now());
      List<String> time = Replies.texts(probe.ask(server, "TIME"));
      long took = System.nanoTime() - began;
      if (time.size() != 2 || !(time.get(0) + time.get(1)).matches("\\d{2,18}")) {
        return Optional.empty();
      }
      nanos.add(took);
      if (took < best) {
        best = took;
        long shown = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        ahead = shown - (wall + took / 2_000);
      }
    }
    return Optional.of(new Clock(ahead, best / 2_000, nanos.stream().sorted().toList()));
  }

  Duration ahead() {
    return Duration.of(aheadMicros, ChronoUnit.MICROS);
  }

  /** What so many of a hundred answers took at most. */
  Duration percentile(int percent) {
    return Duration.ofNanos(
        nanos.get(Math.max(0, (int) Math.ceil(nanos.size() * percent / 100.0) - 1)));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
