package io.leasehold.campaign;

import java.time.Duration;
import java.util.List;
import java.util.logging.LogManager;

/** The command line of {@code campaign/run}. */
final class Main {
  private static final int GRANTS_PER_SECOND = 2_000;

  private Main() {}

  /** Runs a campaign; ends with 1 if something was found, and with 2 if it was asked wrongly. */
  public static void main(String[] args) throws InterruptedException {
    Arguments arguments;
    try {
      arguments = Arguments.parse(List.of(args));
    } catch (Arguments.Wrong e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (arguments.help()) {
      System.out.print(Arguments.USAGE);
      return;
    }
    silence();
    System.exit(run(arguments) ? 0 : 1);
  }

  /** The drivers tell of every broken connection at length. */
  private static void silence() {
    LogManager.getLogManager().reset();
  }

  private static boolean run(Arguments arguments) throws InterruptedException {
    long seed = arguments.seed().orElseGet(System::nanoTime);
    Campaign campaign =
        new Campaign(
            arguments.on(), seed, arguments.out(), GRANTS_PER_SECOND, arguments.keep(), System.out);
    if (arguments.replay().isPresent()) {
      // A plan is drawn from the beginning on: with more time the first faults are the same.
      return campaign
          .runOne(
              arguments.on().get(0),
              arguments.replay().getAsLong(),
              0,
              arguments.seconds().orElse(Duration.ofSeconds(120)))
          .good();
    }
    System.out.println("The campaign's seed is " + seed + "; results are in " + arguments.out());
    campaign.run(
        arguments.total(),
        arguments
            .seconds()
            .orElseGet(
                () -> Campaign.fitting(arguments.total(), arguments.on(), arguments.parallel())),
        Integer.MAX_VALUE,
        arguments.parallel());
    return campaign.results().all().stream().allMatch(RunResult::good);
  }
}
