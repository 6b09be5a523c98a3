package io.leasehold.ctl.demo;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.Drivers;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what the locks are for, on servers that it brings along. */
@Command(
    name = "demo",
    description = {
      "Shows what locks are for, in less than a minute, with nothing installed: many processes grab",
      "from one packet of money. Without a lock money is made or lost; with one every cent adds up,",
      "also when two of five servers are killed; and a fencing token stops a holder that slept.",
      "Ends with 0 when all of that was seen, 1 otherwise."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int FEWEST = 4;
  private static final int MOST = 64;

  @Mixin private Output output = new Output();

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = "jedis",
      description = "The driver: jedis, lettuce or vertx (default: ${DEFAULT-VALUE}).")
  private String driver = "jedis";

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "6",
      description = "How many processes grab (default: ${DEFAULT-VALUE}).")
  private int processes = 6;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeats the shares of a run; who comes first is another each time.")
  private @Nullable Long seed;

  /** For the parser. */
  public DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    boolean known =
        Drivers.all().found().stream()
            .anyMatch(p -> p.name().equals(driver) && p.schemes().contains("redis"));
    if (!known || processes < FEWEST || processes > MOST) {
      throw new CommandFailure(
          ExitCodes.USAGE, "Take jedis, lettuce or vertx, and 4 to 64 processes.");
    }
    long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
    long began = System.nanoTime();
    Progress progress = new Progress(output);
    List<Outcome> outcomes = new ArrayList<>();
    progress.say("starting " + processes + " processes and 7 redis-servers …");
    try (Scene scene = Scene.open(processes, progress)) {
      try {
        Demo demo = new Demo(scene, progress, driver, chosen);
        outcomes.add(demo.withoutLock());
        outcomes.add(demo.withLock());
        outcomes.add(demo.withServersKilled());
        outcomes.addAll(demo.withPausedHolders());
      } catch (CommandFailure e) {
        if (output.verbose()) {
          scene.complaints().lines().forEach(output::say);
        }
        throw e;
      }
    } finally {
      progress.clear();
    }
    boolean seen = outcomes.stream().allMatch(Outcome::asExpected);
    print(outcomes, seen, chosen, (System.nanoTime() - began) / 1e9);
    return seen ? ExitCodes.OK : ExitCodes.NO;
  }

  private void print(List<Outcome> outcomes, boolean seen, long chosen, double seconds) {
    String took = String.format(Locale.ROOT, "%.1f", seconds);
    if (output.json()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("provider", driver);
      members.put("processes", processes);
      members.put("seed", chosen);
      members.put("millis", (long) (seconds * 1_000));
      members.put("asExpected", seen);
      members.put("parts", outcomes.stream().map(Outcome::json).toList());
      output.data(Json.of(members));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(Outcome.HEAD);
    outcomes.forEach(outcome -> rows.add(outcome.row()));
    output.data("");
    Table.lines(rows).forEach(output::data);
    output.data("");
    output.data(
        (seen
                ? "All as promised, and as warned of: "
                : "NOT as it should be, see above; please report it with the seed: ")
            + processes
            + " processes with "
            + driver
            + ", "
            + took
            + " s, --seed "
            + chosen);
  }
}
