package io.leasehold.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What came of a load.
 *
 * @param nanos how long it was put on
 * @param inTime how many cycles were granted within that time: for rates
 * @param grants how many there were in all, with those that each thread ended after it: for what a
 *     cycle costs the server
 * @param errors how many cycles failed
 * @param violations how many cycles found another holder inside
 * @param allocated bytes that the calling threads allocated
 * @param waits from asking for the lock to having it, in nanoseconds
 * @param cycles from asking for the lock to having given it back, in nanoseconds
 */
public record Outcome(
    long nanos,
    long inTime,
    long grants,
    long errors,
    long violations,
    long allocated,
    Samples waits,
    Samples cycles) {

  /** One line, for another process. */
  public String asText() {
    return LongStream.concat(
            LongStream.of(nanos, inTime, grants, errors, violations, allocated, waits.size()),
            LongStream.concat(waits.stream(), cycles.stream()))
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }

  /** The outcome of a line. */
  public static Outcome parse(String line) {
    long[] n = Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    int waits = Math.toIntExact(n[6]);
    return new Outcome(
        n[0],
        n[1],
        n[2],
        n[3],
        n[4],
        n[5],
        Samples.of(Arrays.copyOfRange(n, 7, 7 + waits)),
        Samples.of(Arrays.copyOfRange(n, 7 + waits, n.length)));
  }

  /** What several processes did at the same time. */
  public static Outcome sum(List<Outcome> parts) {
    return new Outcome(
        parts.stream().mapToLong(Outcome::nanos).max().orElseThrow(),
        parts.stream().mapToLong(Outcome::inTime).sum(),
        parts.stream().mapToLong(Outcome::grants).sum(),
        parts.stream().mapToLong(Outcome::errors).sum(),
        parts.stream().mapToLong(Outcome::violations).sum(),
        parts.stream().mapToLong(Outcome::allocated).sum(),
        Samples.of(parts.stream().flatMapToLong(part -> part.waits.stream()).toArray()),
        Samples.of(parts.stream().flatMapToLong(part -> part.cycles.stream()).toArray()));
  }

  /** What the process that was granted least was granted, in percent. */
  public static double leastShare(List<Outcome> parts) {
    long all = parts.stream().mapToLong(Outcome::inTime).sum();
    long least = parts.stream().mapToLong(Outcome::inTime).min().orElseThrow();
    return all == 0 ? 0 : least * 100.0 / all;
  }

  /** Cycles a second. */
  public double rate() {
    return inTime * 1e9 / nanos;
  }
}
