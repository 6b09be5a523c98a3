package io.leasehold.benchmarks;

import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.scenario.Pace;
import io.leasehold.benchmarks.scenario.Stage;
import io.leasehold.benchmarks.scenario.Step;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The command: measures what was asked for and writes down what was seen. */
public final class Main {
  private Main() {}

  /**
   * Ends with 0 when it ran, whatever it measured; with 2 when an argument is wrong, with 1 when it
   * could not go on.
   */
  public static void main(String[] args) {
    Arguments arguments;
    try {
      arguments = Arguments.parse(List.of(args));
    } catch (Arguments.Wrong e) {
      System.err.println(e.getMessage() + "\n\n" + Arguments.USAGE);
      System.exit(2);
      return;
    }
    if (arguments.help()) {
      System.out.print(Arguments.USAGE);
      return;
    }
    try {
      run(arguments);
      System.exit(0); // whatever threads a contestant has left behind
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(Arguments arguments) throws Exception {
    Instant start = Instant.now();
    Pace given = arguments.quick() ? Pace.QUICK : Pace.FULL;
    Pace pace =
        arguments.rounds().isPresent() ? given.withRounds(arguments.rounds().getAsInt()) : given;
    Path out =
        arguments.out().orElse(Path.of("benchmarks", "results", arguments.quick() ? "quick" : ""));
    Results results = new Results();
    try (Stage stage = new Stage()) {
      List<Step> steps =
          new Plan(pace, stage, results, arguments.quick(), arguments.who()::contains)
              .steps(arguments.only());
      try {
        walk(steps);
      } finally {
        Report.write(results, Circumstances.of(arguments, pace, start, stage.redisVersion()), out);
        System.err.println("Results are in " + out.resolve("results.md"));
      }
    }
  }

  private static void walk(List<Step> steps) throws Exception {
    double expected = steps.stream().mapToDouble(Step::seconds).sum();
    Progress progress =
        new Progress(
            System.err,
            Boolean.getBoolean("leasehold.benchmarks.terminal"),
            System::nanoTime,
            steps.size(),
            expected);
    double before = 0;
    for (Step step : steps) {
      progress.begin(step.label(), before);
      step.action().run();
      before += step.seconds();
    }
    progress.end();
  }
}
