package io.leasehold.ctl;

import io.leasehold.LockCapabilityException;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.ctl.admin.InspectCommand;
import io.leasehold.ctl.admin.ListCommand;
import io.leasehold.ctl.admin.ProvidersCommand;
import io.leasehold.ctl.admin.ReleaseCommand;
import io.leasehold.ctl.admin.VouchCommand;
import io.leasehold.ctl.admin.WatchCommand;
import io.leasehold.ctl.check.BenchCommand;
import io.leasehold.ctl.check.CertifyCommand;
import io.leasehold.ctl.demo.DemoCommand;
import io.leasehold.ctl.demo.GrabberCommand;
import io.leasehold.ctl.doctor.DoctorCommand;
import io.leasehold.ctl.run.RunCommand;
import io.leasehold.spi.InvalidConfigurationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Where it begins. A command is a class of its own, and is known by standing in the list below; it
 * throws whatever it likes, and {@link #exitCode} says what that means.
 */
@Command(
    name = "lockctl",
    description = "Locks on the command line.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      ListCommand.class,
      InspectCommand.class,
      WatchCommand.class,
      ReleaseCommand.class,
      VouchCommand.class,
      CertifyCommand.class,
      BenchCommand.class,
      DoctorCommand.class,
      DemoCommand.class,
      GrabberCommand.class,
      ProvidersCommand.class,
      WarmUpCommand.class,
      GenerateCompletion.class,
      HelpCommand.class
    },
    footer = {
      "",
      "The URL may come from the variable LEASEHOLD_URL or a file (--url-file), so that a password",
      "in it is not shown by ps. Exit codes: docs/lockctl.md."
    })
public final class Lockctl {
  /** What the JVM makes of bytes that mean nothing in its locale. */
  private static final char UNREADABLE = '\uFFFD';

  private Lockctl() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    List<String> words = Arrays.asList(arguments);
    if (words.stream().anyMatch(word -> word.indexOf(UNREADABLE) >= 0)) {
      // Another name than was meant would be another lock.
      Output.print(
          System.err,
          words.contains(Output.JSON),
          "error",
          "An argument cannot be read in this locale: use one with UTF-8, such as LC_ALL=C.UTF-8.",
          Map.of("exitCode", ExitCodes.USAGE));
      return ExitCodes.USAGE;
    }
    return commandLine().execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Lockctl());
    line.setExpandAtFiles(false); // a command that is run may have arguments that begin with @
    line.registerConverter(Duration.class, new Durations());
    Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
    line.setExecutionStrategy(
        parsed -> {
          boolean verbose = given(parsed, Output.VERBOSE);
          StderrLog.settings(given(parsed, Output.JSON), verbose);
          if (!verbose) { // what drivers log is theirs: what matters, Leasehold says itself
            System.setProperty("java.util.logging.config.class", NoDriverLog.class.getName());
          }
          return new CommandLine.RunLast().execute(parsed);
        });
    line.setParameterExceptionHandler((problem, given) -> misused(problem, given));
    line.setExecutionExceptionHandler(
        (problem, command, parsed) ->
            failed(problem, given(parsed, Output.JSON), given(parsed, Output.VERBOSE)));
    return line;
  }

  private static boolean given(ParseResult parsed, String option) {
    ParseResult command = parsed;
    while (command.hasSubcommand()) {
      command = command.subcommand();
    }
    return command.hasMatchedOption(option);
  }

  private static int misused(ParameterException problem, String[] given) {
    boolean json = Arrays.asList(given).contains(Output.JSON);
    String name = problem.getCommandLine().getCommandSpec().qualifiedName();
    String message = String.valueOf(problem.getMessage()).replace('\n', ' ');
    Output.print(
        System.err,
        json,
        "error",
        message + (json ? "" : " (see " + name + " --help)"),
        Map.of("exitCode", ExitCodes.USAGE));
    return ExitCodes.USAGE;
  }

  private static int failed(Exception problem, boolean json, boolean verbose) {
    int code = exitCode(problem);
    String said = problem.getMessage();
    String message =
        code == ExitCodes.SOFTWARE || said == null
            ? "a defect of lockctl: " + problem + (verbose ? "" : " (--verbose shows where)")
            : said;
    Output.print(System.err, json, "error", message, Map.of("exitCode", code));
    if (verbose) {
      problem.printStackTrace();
    }
    return code;
  }

  private static int exitCode(Exception problem) {
    if (problem instanceof CommandFailure failure) {
      return failure.exitCode();
    }
    if (problem instanceof LockConfigurationException
        || problem instanceof InvalidConfigurationException
        || problem instanceof LockCapabilityException) {
      return ExitCodes.USAGE;
    }
    if (problem instanceof LockUnavailableException) {
      return ExitCodes.UNAVAILABLE;
    }
    return ExitCodes.SOFTWARE;
  }
}
