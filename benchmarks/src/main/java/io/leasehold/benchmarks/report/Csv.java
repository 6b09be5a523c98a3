package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Results;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every number of a run, a line each: nothing is averaged. */
public final class Csv {
  private Csv() {}

  /** The text of the file. */
  public static String of(Results results) {
    StringBuilder text = new StringBuilder("scenario,contestant,round,metric,value\n");
    for (Measurement m : results.all()) {
      new TreeMap<>(m.values())
          .forEach(
              (metric, value) ->
                  text.append(
                      line(
                          m.scenario().id(),
                          m.contestant().id(),
                          String.valueOf(m.round()),
                          metric.id(),
                          Double.isNaN(value) ? "" : String.valueOf(value))));
    }
    return text.toString();
  }

  static String line(String... fields) {
    return Arrays.stream(fields).map(Csv::quoted).collect(Collectors.joining(",", "", "\n"));
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
