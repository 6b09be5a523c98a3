package io.leasehold.ctl.check;

import io.leasehold.DistributedLock;
import io.leasehold.LockClient;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Table;
import io.leasehold.ctl.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast locks are, from here to these servers. */
@Command(
    name = "bench",
    description = {
      "Measures how fast locks are between this machine and the servers of a URL, in a few seconds.",
      "An order of magnitude for sizing: one process, one run. benchmarks/run compares drivers."
    })
public final class BenchCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "How long each of the three parts takes (default: ${DEFAULT-VALUE}).")
  private Duration time = Duration.ofSeconds(2);

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many threads (default: ${DEFAULT-VALUE}).")
  private int threads = 8;

  /** For the parser. */
  public BenchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (threads < 1 || threads > 1_000 || time.isZero()) {
      throw new CommandFailure(
          ExitCodes.USAGE, "Measure with 1 to 1000 threads, for more than no time.");
    }
    String prefix = "lockctl-bench:" + UUID.randomUUID() + ":";
    List<Cycles> parts = new ArrayList<>();
    try (LockClient client = target.open()) {
      output.say("measuring " + target.shown());
      IntFunction<DistributedLock> own = thread -> client.lock(prefix + thread);
      Cycles.run("warm-up", 1, own, time.dividedBy(2));
      parts.add(Cycles.run("one thread, a free lock", 1, own, time));
      parts.add(Cycles.run(threads + " threads, a lock each", threads, own, time));
      parts.add(
          Cycles.run(
              threads + " threads, one lock", threads, thread -> client.lock(prefix + "x"), time));
    }
    print(parts);
    return parts.stream().allMatch(part -> part.violations() == 0) ? ExitCodes.OK : ExitCodes.NO;
  }

  private void print(List<Cycles> parts) {
    if (output.json()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("servers", target.shown());
      members.put("parts", parts.stream().map(Cycles::json).toList());
      output.data(Json.of(members));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "CYCLES/S", "P50", "P99", "MAX"));
    for (Cycles part : parts) {
      rows.add(
          List.of(
              part.name(),
              Long.toString(part.perSecond()),
              shown(part.micros(50)),
              shown(part.micros(99)),
              shown(part.micros(100))));
    }
    Table.lines(rows).forEach(output::data);
    output.data("");
    output.data(
        "A cycle is acquire and release; times are of a cycle, waiting included. This is one");
    output.data(
        "run of one process with one driver: it neither compares drivers nor finds limits.");
    parts.stream()
        .filter(part -> part.violations() > 0)
        .forEach(
            part -> output.say(part.violations() + " times TWO HELD THE LOCK: " + part.name()));
  }

  private static String shown(long micros) {
    return String.format(Locale.ROOT, "%.2f ms", micros / 1_000.0);
  }
}
