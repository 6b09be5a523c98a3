package io.leasehold.ctl.admin;

import io.leasehold.LockClient;
import io.leasehold.LockStatus;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Table;
import io.leasehold.ctl.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who holds one lock. */
@Command(name = "inspect", description = "Tells who holds a lock. Changes nothing.")
public final class InspectCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Parameters(paramLabel = "NAME", description = "The lock.")
  private String name = "";

  @Option(names = "--check", description = "Exits with 1 when somebody holds it.")
  private boolean check;

  /** For the parser. */
  public InspectCommand() {}

  @Override
  public Integer call() {
    LockStatus status;
    try (LockClient client = target.open()) {
      status = client.inspect(name);
    }
    if (output.json()) {
      output.data(Json.of(Statuses.json(status)));
    } else {
      List<String> cells = Statuses.row(status);
      List<List<String>> rows = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        rows.add(List.of(Statuses.COLUMNS.get(i).toLowerCase(Locale.ROOT), cells.get(i)));
      }
      Table.lines(rows).forEach(output::data);
    }
    return check && status.holder().isPresent() ? ExitCodes.NO : ExitCodes.OK;
  }
}
