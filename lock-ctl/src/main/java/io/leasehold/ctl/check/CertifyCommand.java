package io.leasehold.ctl.check;

import io.leasehold.LockClient;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.StderrLog;
import io.leasehold.ctl.Target;
import io.leasehold.spi.LockUrl;
import io.leasehold.tck.Certification;
import io.leasehold.tck.CertificationReport;
import io.leasehold.tck.Progress;
import io.leasehold.tck.RequirementResult;
import io.leasehold.tck.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the certification kit against a URL. */
@Command(
    name = "certify",
    description = {
      "Runs the certification kit against the servers of a URL, at the level Core, and writes its",
      "report. Nobody else should use the servers meanwhile. Takes about a minute. The kit's times",
      "are made for the default commandTimeout: leave that out of the URL."
    })
public final class CertifyCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where the report is written, as NAME.md and NAME.json (default: here).")
  private Path directory = Path.of(".");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name of the certificate (default: the URL's provider and scheme).")
  private @Nullable String name;

  @Option(names = "--seed", paramLabel = "N", description = "Repeats the random numbers of a run.")
  private @Nullable Long seed;

  @Option(
      names = "--tolerance",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "How late things may be on this network (default: ${DEFAULT-VALUE}).")
  private Duration tolerance = Duration.ofSeconds(1);

  /** For the parser. */
  public CertifyCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    try (LockClient client = target.open()) { // what is wrong with the URL is told before
      client.inspect("lockctl-certify");
    }
    StderrLog.mute(); // the kit takes locks away, and kills their holders
    Certification certification = Certification.of(subject()).onProgress(this::tell);
    if (seed != null) {
      certification.seed(seed);
    }
    CertificationReport report = certification.run();
    Path written = write(report);
    if (output.json()) {
      output.data(report.toJson().strip());
    } else {
      output.data(
          report.subject()
              + " is "
              + (report.certified() ? "certified: " : "NOT certified: ")
              + report.level().title());
      report.results().stream()
          .filter(RequirementResult::prevents)
          .forEach(result -> output.data("  " + shown(result)));
      output.data("The report is in " + written);
    }
    return report.certified() ? ExitCodes.OK : ExitCodes.NO;
  }

  private Subject subject() {
    String url = target.url();
    String called = Optional.ofNullable(name).orElseGet(() -> name(LockUrl.parse(url)));
    return new Subject() {
      @Override
      public String name() {
        return called;
      }

      @Override
      public String url() {
        return url;
      }

      @Override
      public Duration tolerance() {
        return tolerance;
      }
    };
  }

  private static String name(LockUrl url) {
    return url.provider().map(provider -> provider + "-").orElse("") + url.scheme();
  }

  private Path write(CertificationReport report) {
    try {
      return report.writeTo(directory);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.CANNOT_CREATE, "The report cannot be written into " + directory, e);
    }
  }

  private void tell(Progress progress) {
    boolean last = progress.done() == progress.total();
    if (!progress.passed() || last || progress.done() % 25 == 0) {
      output.say(
          progress.done()
              + " of "
              + progress.total()
              + " checks"
              + (progress.passed() ? "" : "; FAILED: " + progress.check()));
    }
  }

  private static String shown(RequirementResult result) {
    return result.requirement().id() + " " + result.status() + ": " + result.requirement().text();
  }
}
