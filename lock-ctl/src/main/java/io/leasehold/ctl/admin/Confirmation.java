package io.leasehold.ctl.admin;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Terminal;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Asks before something is done that cannot be undone. */
final class Confirmation {
  @Option(
      names = {"-y", "--yes"},
      description = "Does not ask. Needed where there is no terminal to ask on.")
  private boolean yes;

  /** For the parser. */
  Confirmation() {}

  /**
   * @param question ends without a question mark
   * @throws CommandFailure when the person says no, or cannot be asked
   */
  void ask(String question) {
    if (yes) {
      return;
    }
    String answer =
        Terminal.ask(question + "? [y/N] ")
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCodes.USAGE,
                        "This asks first, and there is no terminal: say --yes. Nothing was done."));
    if (!answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
      throw new CommandFailure(ExitCodes.NO, "Nothing was done.");
    }
  }
}
