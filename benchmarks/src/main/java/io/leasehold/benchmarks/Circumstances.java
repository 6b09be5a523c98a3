package io.leasehold.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.benchmarks.scenario.Pace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** On what, with what and how a run was done, for whoever reads its results. */
final class Circumstances {
  private Circumstances() {}

  static Map<String, String> of(Arguments arguments, Pace pace, Instant start, String redis) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("when", start.truncatedTo(ChronoUnit.SECONDS).toString());
    all.put("form", arguments.quick() ? "quick" : "full");
    all.put(
        "rounds",
        String.format(
            Locale.ROOT,
            "%d, of %d ms each (one thread, 16 locks: %d of %d ms), each after %d ms that do not"
                + " count; before the first, a warm-up of %d ms%s",
            pace.rounds(),
            pace.slice().toMillis(),
            pace.finer().rounds(),
            pace.finer().slice().toMillis(),
            pace.leadIn().toMillis(),
            pace.warmUp().toMillis(),
            arguments.quick() ? "" : "; 16 locks: " + restOf(pace.settled())));
    all.put(
        "machine",
        String.format(
            Locale.ROOT,
            "%d cores, %s %s",
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch")));
    all.put(
        "Java",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    all.put("Redis", redis + ", on the same machine, without persistence");
    all.put("versions", versions());
    return all;
  }

  /** As the build wrote them down. */
  private static String versions() {
    try (InputStream in = Circumstances.class.getResourceAsStream("versions.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String restOf(Pace pace) {
    return pace.leadIn().toMillis() + " and " + pace.warmUp().toMillis() + " ms";
  }
}
