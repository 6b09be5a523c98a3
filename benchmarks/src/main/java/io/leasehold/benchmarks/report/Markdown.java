package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.report.Target.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The page for people: what must be seen, then a table for each scenario. */
public final class Markdown {
  private final StringBuilder text = new StringBuilder();
  private final Results results;

  private Markdown(Results results) {
    this.results = results;
  }

  /**
   * The text of the page.
   *
   * @param circumstances what was run, on what, with what
   * @param charts the files of the charts by their scenarios
   */
  public static String of(
      Results results, Map<String, String> circumstances, Map<Scenario, String> charts) {
    Markdown page = new Markdown(results);
    page.text.append("# Benchmarks\n\n");
    page.text.append(
        "Made by `benchmarks/run`; what is measured and how is in `benchmarks/README.md`. Absolute"
            + " times move with the machine; ratios within one run hold.\n\n");
    page.circumstances(circumstances);
    page.targets();
    for (Scenario scenario : Scenario.values()) {
      page.scenario(scenario, charts);
    }
    page.failures();
    return page.text.toString();
  }

  private void circumstances(Map<String, String> all) {
    row("what", "");
    rule(2);
    all.forEach(this::row);
    text.append('\n');
  }

  private void targets() {
    List<Target> targets = Targets.of(results);
    long met = targets.stream().filter(t -> t.verdict() == Verdict.MET).count();
    long measured = targets.stream().filter(t -> t.verdict() != Verdict.NOT_MEASURED).count();
    text.append("## What must be seen\n\n");
    text.append(met + " of " + measured + " that were measured are met.\n\n");
    row("what", "must be", "measured", "");
    rule(4);
    for (Target target : targets) {
      row(target.what(), target.limitText(), target.measuredText(), target.verdict().toString());
    }
    text.append('\n');
  }

  private void scenario(Scenario scenario, Map<Scenario, String> charts) {
    Set<Contestant> contestants = results.contestants(scenario);
    if (contestants.isEmpty()) {
      return;
    }
    text.append("## " + scenario.title() + "\n\n");
    String chart = charts.get(scenario);
    if (chart != null) {
      text.append("![" + scenario.title() + "](" + chart + ")\n\n");
    }
    List<Metric> metrics =
        Arrays.stream(Metric.values())
            .filter(m -> contestants.stream().anyMatch(c -> isWorthAColumn(scenario, c, m)))
            .toList();
    List<String> head = new ArrayList<>(List.of("medians"));
    metrics.forEach(metric -> head.add(metric.title()));
    row(head.toArray(String[]::new));
    rule(head.size());
    for (Contestant who : contestants) {
      List<String> cells = new ArrayList<>(List.of(who.title()));
      metrics.forEach(m -> cells.add(m.format(results.median(scenario, who, m))));
      row(cells.toArray(String[]::new));
    }
    text.append('\n');
  }

  /** Not what nobody has measured, nor what is zero for all, such as errors. */
  private boolean isWorthAColumn(Scenario scenario, Contestant who, Metric metric) {
    double median = results.median(scenario, who, metric);
    return !Double.isNaN(median) && median != 0;
  }

  private void failures() {
    if (!results.failures().isEmpty()) {
      text.append("## What could not be measured\n\n");
      results.failures().forEach(failure -> text.append("- " + escaped(failure) + "\n"));
    }
  }

  private void row(String... cells) {
    text.append(
        Arrays.stream(cells)
            .map(Markdown::escaped)
            .collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  private void rule(int columns) {
    text.append("|---".repeat(columns)).append("|\n");
  }

  private static String escaped(String cell) {
    return cell.replace("|", "\\|").replace('\n', ' ');
  }
}
