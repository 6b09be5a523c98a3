package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** All files of a run. */
public final class Report {
  private Report() {}

  /** Writes them into a folder, which is made if need be: the page is {@code results.md}. */
  public static void write(Results results, Map<String, String> circumstances, Path folder)
      throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.csv"), Csv.of(results));
    Map<Scenario, String> charts = Charts.write(results, folder);
    Files.writeString(folder.resolve("results.md"), Markdown.of(results, circumstances, charts));
  }
}
