package io.leasehold.benchmarks;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.scenario.HeldScenario;
import io.leasehold.benchmarks.scenario.JmhScenario;
import io.leasehold.benchmarks.scenario.LoadScenario;
import io.leasehold.benchmarks.scenario.LoadScenario.Locks;
import io.leasehold.benchmarks.scenario.LoadScenario.Shape;
import io.leasehold.benchmarks.scenario.Pace;
import io.leasehold.benchmarks.scenario.Stage;
import io.leasehold.benchmarks.scenario.Step;
import io.leasehold.benchmarks.scenario.WaitingScenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which contestants take part in which scenario, and in which order all that is done. */
final class Plan {
  private static final Shape ONE_THREAD = new Shape(1, 1, Locks.ONE_PER_THREAD);
  private static final Shape MANY_LOCKS = new Shape(1, 16, Locks.ONE_PER_THREAD);
  private static final Shape ONE_LOCK = new Shape(1, 16, Locks.SHARED);
  private static final int THREADS_OF_A_PROCESS = 4;

  private final Pace pace;
  private final Stage stage;
  private final Results results;
  private final Predicate<Contestant> invited;
  private final boolean quick;

  /**
   * @param quick whether some are left out for want of time
   * @param invited who may take part
   */
  Plan(Pace pace, Stage stage, Results results, boolean quick, Predicate<Contestant> invited) {
    this.pace = pace;
    this.stage = stage;
    this.results = results;
    this.quick = quick;
    this.invited = invited;
  }

  List<Step> steps(Set<Scenario> scenarios) {
    List<Step> steps = new ArrayList<>();
    scenarios.stream()
        .filter(scenario -> scenario != Scenario.WAITING && scenario != Scenario.HELD)
        .sorted()
        .forEach(scenario -> steps.addAll(steps(scenario)));
    steps.addAll(watched(scenarios));
    return steps;
  }

  private List<Step> steps(Scenario scenario) {
    return switch (scenario) {
      case UNCONTENDED -> load(scenario, pace.finer(), who(Plan::locks), ONE_THREAD);
      case UNCONTENDED_WIRE -> load(scenario, pace, who(c -> locks(c) && chief(c)), ONE_THREAD);
      case MANY_LOCKS ->
          load(
              scenario,
              quick ? pace.finer() : pace.finer().settled(),
              who(Plan::locks),
              MANY_LOCKS);
      case MANY_LOCKS_WIRE ->
          quick ? List.of() : load(scenario, pace, who(Plan::locks), MANY_LOCKS);
      case ONE_LOCK ->
          load(scenario, pace, who(c -> c.waits() || c.kind() == Kind.SINGLE_CALLS), ONE_LOCK);
      case ONE_LOCK_WIRE ->
          load(
              scenario,
              pace,
              who(c -> c.waits() && chief(c) && !(quick && c.kind() == Kind.BARE)),
              ONE_LOCK);
      case TELEMETRY ->
          load(scenario, pace.finer(), who(c -> c.kind() == Kind.TELEMETRY), ONE_THREAD);
      case PROCESSES ->
          load(
              scenario,
              pace,
              who(c -> c.waits() && !(quick && c.kind() == Kind.BARE)),
              severalProcesses());
      case PROCESSES_WIRE ->
          quick ? List.of() : load(scenario, pace, who(Contestant::waits), severalProcesses());
      case JMH, JMH_MANY_LOCKS ->
          quick ? List.of() : new JmhScenario(scenario, who(Plan::locks), stage, results).steps();
      case WAITING, HELD -> throw new IllegalArgumentException(scenario.id());
    };
  }

  /** What is watched and not timed. The quick form watches both at once, on one driver. */
  private List<Step> watched(Set<Scenario> scenarios) {
    List<Contestant> drivers =
        who(quick ? c -> c == Contestant.LETTUCE : Contestant.drivers()::contains);
    WaitingScenario waiting = new WaitingScenario(drivers, pace, results);
    boolean wanted = scenarios.contains(Scenario.WAITING);
    List<Step> steps = new ArrayList<>(wanted ? waiting.begin() : List.of());
    List<Step> end = wanted ? waiting.end() : List.of();
    if (!quick) {
      steps.addAll(end);
    }
    if (scenarios.contains(Scenario.HELD)) {
      steps.addAll(new HeldScenario(drivers, pace, results).steps());
    }
    if (quick) {
      steps.addAll(end);
    }
    return steps;
  }

  private Shape severalProcesses() {
    return new Shape(pace.processes(), THREADS_OF_A_PROCESS, Locks.SHARED);
  }

  private static boolean locks(Contestant who) {
    return who.kind() != Kind.SINGLE_CALLS && who.kind() != Kind.TELEMETRY;
  }

  /** Those whom targets name, where the quick form has no time for all. */
  private boolean chief(Contestant who) {
    return !quick
        || who.kind() == Kind.BARE
        || Contestant.drivers().contains(who)
        || who == Contestant.REDISSON
        || who == Contestant.SPRING;
  }

  private List<Step> load(Scenario scenario, Pace turns, List<Contestant> who, Shape shape) {
    return new LoadScenario(scenario, who, turns, stage, results, shape).steps();
  }

  private List<Contestant> who(Predicate<Contestant> fit) {
    return Arrays.stream(Contestant.values()).filter(invited.and(fit)).toList();
  }
}
