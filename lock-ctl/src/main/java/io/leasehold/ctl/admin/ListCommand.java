package io.leasehold.ctl.admin;

import io.leasehold.LockClient;
import io.leasehold.LockStatus;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Table;
import io.leasehold.ctl.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which locks are held, and by whom. */
@Command(name = "list", description = "Lists the locks that are held, and who holds them.")
public final class ListCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Parameters(
      arity = "0..1",
      paramLabel = "PATTERN",
      defaultValue = "*",
      description = "Of names: * any text, ? any character, [a-c] one of these (default: all).")
  private String pattern = "*";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many at most (default: ${DEFAULT-VALUE}).")
  private int limit = 1000;

  /** For the parser. */
  public ListCommand() {}

  @Override
  public Integer call() {
    List<LockStatus> held;
    try (LockClient client = target.open()) {
      held = new ArrayList<>(client.list(pattern, limit));
    }
    held.sort(Comparator.comparing(LockStatus::name));
    if (output.json()) {
      output.data(Json.of(held.stream().map(Statuses::json).toList()));
    } else if (held.isEmpty()) {
      output.say("no lock is held");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(Statuses.COLUMNS);
      held.forEach(status -> rows.add(Statuses.row(status)));
      Table.lines(rows).forEach(output::data);
    }
    if (held.size() == limit) {
      output.say("there may be more: --limit " + limit + " was reached");
    }
    return ExitCodes.OK;
  }
}
