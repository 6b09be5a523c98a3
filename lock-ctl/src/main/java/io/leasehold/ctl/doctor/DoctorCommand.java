package io.leasehold.ctl.doctor;

import io.leasehold.ctl.Drivers;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Target;
import io.leasehold.spi.LockUrl;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what makes locks unsafe on the servers of a URL. */
@Command(
    name = "doctor",
    description = {
      "Looks for what makes locks unsafe on the servers of a URL, and says how to mend it. Changes",
      "nothing. Ends with 0 when all is well, 1 when something is to be thought about or could not",
      "be found out, 2 when something is bad, 69 when nobody answers. docs/doctor.md explains each."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Option(
      names = "--strict",
      description = "Ends with 2 whenever anything is not known to be as it should be.")
  private boolean strict;

  /** For the parser. */
  public DoctorCommand() {}

  @Override
  public Integer call() {
    Report report = Examination.of(LockUrl.parse(target.url()), Drivers.all());
    if (output.json()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("servers", target.shown());
      members.putAll(report.json());
      output.data(Json.of(members));
    } else {
      output.data(target.shown());
      report.lines().forEach(output::data);
    }
    return report.exitCode(strict);
  }
}
