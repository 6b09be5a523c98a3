package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A scenario in which all contestants have their turn in each round, so that whatever else the
 * machine does hits all of them. The order is reversed from round to round. A contestant that fails
 * is left out from then on, and reported; the others go on.
 */
public abstract class Rounds {
  final Scenario scenario;
  final List<Contestant> contestants;
  final Pace pace;
  final Stage stage;
  final Results results;
  private final Set<Contestant> failed = EnumSet.noneOf(Contestant.class);

  Rounds(Scenario scenario, List<Contestant> contestants, Pace pace, Stage stage, Results results) {
    this.scenario = scenario;
    this.contestants = List.copyOf(contestants);
    this.pace = pace;
    this.stage = stage;
    this.results = results;
  }

  /** Connects a contestant and warms it up. */
  abstract void open(Contestant who) throws Exception;

  /** Measures a contestant. */
  abstract void round(Contestant who, int round) throws Exception;

  /** Ends whatever is open. */
  abstract void closeAll() throws Exception;

  /** What is done, in order. */
  public final List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (Contestant who : contestants) {
      double seconds = 0.8 + pace.warmUp().toMillis() / 1e3;
      steps.add(step(who, "warm-up", seconds, () -> open(who)));
    }
    for (int i = 1; i <= pace.rounds(); i++) {
      int round = i;
      List<Contestant> order = new ArrayList<>(contestants);
      if (round % 2 == 0) {
        Collections.reverse(order);
      }
      for (Contestant who : order) {
        double seconds = 0.02 + pace.leadIn().plus(pace.slice()).toMillis() / 1e3;
        steps.add(step(who, "round " + round, seconds, () -> round(who, round)));
      }
    }
    steps.add(new Step(scenario.title() + ": closing", 0.5, this::closeAll));
    return steps;
  }

  private Step step(Contestant who, String what, double seconds, Step.Action action) {
    return new Step(
        scenario.title() + ": " + who.title() + ", " + what,
        seconds,
        () -> {
          if (failed.contains(who)) {
            return;
          }
          try {
            action.run();
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            failed.add(who);
            results.failed(scenario.title() + ": " + who.title() + ", " + what + ": " + e);
          }
        });
  }
}
