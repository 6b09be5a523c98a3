package io.leasehold.provider.redlock.model;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a run of TLC has shown. */
sealed interface Verdict {

  /** Every reachable state was visited, and nothing that was asked for is violated in any. */
  record Holds(long distinctStates) implements Verdict {}

  /**
   * A behaviour of so many states, the first one included, ends in a violation of this property.
   */
  record Breaks(String property, int states) implements Verdict {}

  /** Neither: no parse, a deadlock, an error in an expression, no end in time. */
  record Failed(String why) implements Verdict {}

  Pattern VIOLATION =
      Pattern.compile("(?m)^Error: (?:Invariant|Action property) (\\w+) is violated\\.$");
  Pattern ERROR = Pattern.compile("(?m)^(?:Error: |\\*\\*\\* |Parsing or semantic).*$");
  Pattern STATE = Pattern.compile("(?m)^State \\d+: ");
  Pattern END =
      Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found, 0 states left");

  /** Reads the output of a run that ended with this exit code. */
  static Verdict of(int exitCode, String output) {
    List<String> errors = all(ERROR, output).stream().map(MatchResult::group).toList();
    List<String> violated = all(VIOLATION, output).stream().map(found -> found.group(1)).toList();
    Optional<Long> distinctStates =
        all(END, output).stream().map(found -> Long.valueOf(found.group(1))).findFirst();
    boolean completed = output.contains("Model checking completed. No error has been found.");
    if (exitCode == 0 && completed && errors.isEmpty() && distinctStates.isPresent()) {
      return new Holds(distinctStates.get());
    }
    if (exitCode != 0 && !completed && violated.size() == 1) {
      return new Breaks(violated.get(0), all(STATE, output).size());
    }
    return new Failed("exit code " + exitCode + ", " + errors);
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }
}
