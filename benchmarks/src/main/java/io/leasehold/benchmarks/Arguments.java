package io.leasehold.benchmarks;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Scenario;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What was asked for on the command line.
 *
 * @param only the scenarios; all of them unless said otherwise
 * @param who the contestants; all of them unless said otherwise
 * @param out where results go, if said
 */
record Arguments(
    boolean help,
    boolean quick,
    Set<Scenario> only,
    Set<Contestant> who,
    OptionalInt rounds,
    Optional<Path> out) {

  static final String USAGE =
      """
      Usage: benchmarks/run [--quick] [--only <scenario>[,<scenario>]]
                            [--who <contestant>[,<contestant>]] [--rounds <n>] [--out <folder>]

        --quick     short turns: ends within three minutes, and leaves out JMH and two of the wires
        --only      some scenarios, of: %s
        --who       some contestants, of: %s
        --rounds    how often each contestant has its turn (5; with --quick 3)
        --out       where results go (benchmarks/results; with --quick benchmarks/results/quick)
        --help      this
      """
          .formatted(
              Arrays.stream(Scenario.values()).map(Scenario::id).collect(Collectors.joining(", ")),
              Arrays.stream(Contestant.values())
                  .map(Contestant::id)
                  .collect(Collectors.joining(", ")));

  /** An argument that is not understood; its message is for the one who typed it. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  static Arguments parse(List<String> words) {
    boolean help = false;
    boolean quick = false;
    Set<Scenario> only = EnumSet.noneOf(Scenario.class);
    Set<Contestant> who = EnumSet.noneOf(Contestant.class);
    OptionalInt rounds = OptionalInt.empty();
    Optional<Path> out = Optional.empty();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--help", "-h" -> help = true;
        case "--quick" -> quick = true;
        case "--only" -> only.addAll(scenarios(value(word, rest)));
        case "--who" -> who.addAll(contestants(value(word, rest)));
        case "--rounds" -> rounds = OptionalInt.of(positive(value(word, rest)));
        case "--out" -> out = Optional.of(Path.of(value(word, rest)));
        default -> throw new Wrong("Not an option: " + word);
      }
    }
    return new Arguments(
        help,
        quick,
        only.isEmpty() ? EnumSet.allOf(Scenario.class) : only,
        who.isEmpty() ? EnumSet.allOf(Contestant.class) : who,
        rounds,
        out);
  }

  private static String value(String option, Iterator<String> rest) {
    try {
      return rest.next();
    } catch (NoSuchElementException e) {
      throw new Wrong(option + " needs a value");
    }
  }

  private static int positive(String text) {
    if (!text.matches("[1-9]\\d{0,3}")) {
      throw new Wrong("Not a number of rounds: " + text);
    }
    return Integer.parseInt(text);
  }

  private static Set<Scenario> scenarios(String list) {
    Set<Scenario> found = EnumSet.noneOf(Scenario.class);
    for (String id : list.split(",", -1)) {
      found.add(
          Arrays.stream(Scenario.values())
              .filter(scenario -> scenario.id().equals(id))
              .findFirst()
              .orElseThrow(() -> new Wrong("Not a scenario: " + id)));
    }
    return found;
  }

  private static Set<Contestant> contestants(String list) {
    Set<Contestant> found = EnumSet.noneOf(Contestant.class);
    for (String id : list.split(",", -1)) {
      found.add(
          Arrays.stream(Contestant.values())
              .filter(contestant -> contestant.id().equals(id))
              .findFirst()
              .orElseThrow(() -> new Wrong("Not a contestant: " + id)));
    }
    return found;
  }
}
