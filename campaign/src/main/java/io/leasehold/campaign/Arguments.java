package io.leasehold.campaign;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What was asked for on the command line.
 *
 * @param on the runs; all of them unless said otherwise
 * @param replay the seed of a run that is done once more, without others
 * @param keep whether the histories of good runs are kept too
 * @param seconds how long each storm is, if said
 */
record Arguments(
    boolean help,
    Duration total,
    OptionalLong seed,
    List<RunSpec> on,
    Path out,
    OptionalLong replay,
    Optional<Duration> seconds,
    int parallel,
    boolean keep) {

  static final String USAGE =
      """
      Usage: campaign/run [--minutes <n>] [--seed <seed>] [--on <name>[,<name>]] [--out <folder>]
                          [--seconds <n>] [--parallel <n>] [--replay <seed>] [--keep]

        --minutes   how long all of it may take (60); rounds over all runs, each with other seeds
        --seed      what all seeds are drawn from (from the clock); it is printed
        --on        some runs, of: %s
        --out       where results go (campaign/target/campaign). A campaign that was interrupted
                    goes on where it stopped when it is given the same folder
        --seconds   how long each storm lasts (as fits into the minutes, 120 at most)
        --parallel  how many runs at the same time (1)
        --replay    does one run once more, with the seed of its result; needs --on with one name
        --keep      keeps the histories of all runs, not only of those with violations
        --help      this
      """
          .formatted(
              RunSpec.all().stream()
                  .map(RunSpec::name)
                  .collect(Collectors.joining(", "))
                  .replaceAll("(.{60,80}, )", "$1\n                    "));

  /** An argument that is not understood; its message is for the one who typed it. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  static Arguments parse(List<String> words) {
    boolean help = false;
    long minutes = 60;
    OptionalLong seed = OptionalLong.empty();
    OptionalLong replay = OptionalLong.empty();
    List<RunSpec> on = RunSpec.all();
    Path out = Path.of("campaign", "target", "campaign");
    Optional<Duration> seconds = Optional.empty();
    int parallel = 1;
    boolean keep = false;
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      try {
        switch (word) {
          case "--help" -> help = true;
          case "--keep" -> keep = true;
          case "--minutes" -> minutes = positive(rest.next());
          case "--seed" -> seed = OptionalLong.of(Long.parseLong(rest.next()));
          case "--replay" -> replay = OptionalLong.of(Long.parseLong(rest.next()));
          case "--on" -> on = specs(rest.next());
          case "--out" -> out = Path.of(rest.next());
          case "--seconds" -> seconds = Optional.of(Duration.ofSeconds(positive(rest.next())));
          case "--parallel" -> parallel = Math.toIntExact(positive(rest.next()));
          default -> throw new Wrong("What is " + word + "? See --help.");
        }
      } catch (NoSuchElementException e) {
        throw new Wrong(word + " needs a value.");
      } catch (NumberFormatException e) {
        throw new Wrong(word + " needs a number.");
      }
    }
    if (replay.isPresent() && on.size() != 1) {
      throw new Wrong("--replay needs --on with the name of one run.");
    }
    return new Arguments(
        help, Duration.ofMinutes(minutes), seed, on, out, replay, seconds, parallel, keep);
  }

  private static long positive(String text) {
    long value = Long.parseLong(text);
    if (value <= 0) {
      throw new NumberFormatException();
    }
    return value;
  }

  private static List<RunSpec> specs(String names) {
    List<RunSpec> specs = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      try {
        specs.add(RunSpec.named(name));
      } catch (IllegalArgumentException e) {
        throw new Wrong("There is no run '" + name + "'. See --help.");
      }
    }
    return specs;
  }
}
