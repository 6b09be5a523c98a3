package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A chart for each scenario that has one number to compare. */
public final class Charts {
  private static final Map<Scenario, Metric> SHOWN =
      new EnumMap<>(
          Map.of(
              Scenario.UNCONTENDED, Metric.CYCLE_P50,
              Scenario.UNCONTENDED_WIRE, Metric.CYCLE_P50,
              Scenario.MANY_LOCKS, Metric.RATE,
              Scenario.MANY_LOCKS_WIRE, Metric.RATE,
              Scenario.ONE_LOCK, Metric.RATE,
              Scenario.ONE_LOCK_WIRE, Metric.RATE,
              Scenario.PROCESSES, Metric.RATE,
              Scenario.PROCESSES_WIRE, Metric.RATE));

  private static final Map<Kind, Color> COLOURS =
      Map.of(
          Kind.OURS, new Color(0x1b7f5c),
          Kind.BARE, new Color(0xa0a8b0),
          Kind.SINGLE_CALLS, new Color(0xd0d4d8),
          Kind.PEER, new Color(0xd08a3c),
          Kind.TELEMETRY, new Color(0x1b7f5c));

  private Charts() {}

  /** Draws what was measured, and names the files. */
  public static Map<Scenario, String> write(Results results, Path folder) throws IOException {
    Map<Scenario, String> files = new EnumMap<>(Scenario.class);
    for (Map.Entry<Scenario, Metric> shown : SHOWN.entrySet()) {
      Scenario scenario = shown.getKey();
      if (!results.contestants(scenario).isEmpty()) {
        String file = scenario.id() + ".png";
        try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
          ChartEncoder.saveChart(chart(results, scenario, shown.getValue()), out, "png");
        }
        files.put(scenario, file);
      }
    }
    return files;
  }

  private static CategoryChart chart(Results results, Scenario scenario, Metric metric) {
    List<Contestant> who = new ArrayList<>(results.contestants(scenario));
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(560)
            .title(scenario.title())
            .yAxisTitle(metric.title())
            .build();
    chart.getStyler().setOverlapped(true);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setLabelsFont(chart.getStyler().getLabelsFont().deriveFont(10f));
    chart.getStyler().setYAxisDecimalPattern("#,###");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setAvailableSpaceFill(0.9);
    chart.getStyler().setXAxisLabelRotation(90);
    chart.getStyler().setXAxisLabelAlignmentVertical(TextAlignment.Right);
    chart.getStyler().setXAxisMaxLabelCount(who.size());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    List<String> titles = who.stream().map(Contestant::title).toList();
    for (Kind kind : Kind.values()) {
      // One series a kind, for its colour; the bars of the others are not there.
      List<Double> bars = new ArrayList<>();
      for (Contestant each : who) {
        bars.add(each.kind() == kind ? round(results.median(scenario, each, metric)) : null);
      }
      if (bars.stream().anyMatch(bar -> bar != null)) {
        chart.addSeries(title(kind), titles, bars).setFillColor(COLOURS.get(kind));
      }
    }
    return chart;
  }

  private static double round(double value) {
    return Math.round(value);
  }

  private static String title(Kind kind) {
    return switch (kind) {
      case OURS, TELEMETRY -> "Leasehold";
      case BARE -> "bare driver";
      case SINGLE_CALLS -> "single calls";
      case PEER -> "others";
    };
  }
}
