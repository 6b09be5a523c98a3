package io.leasehold.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Loads the classes that most commands need, so that the launcher can make an archive of them. The
 * server that it asks for is not there: what it says is of no interest.
 */
@Command(name = "warm-up", hidden = true)
public final class WarmUpCommand implements Callable<Integer> {
  private static final String NOBODY = "lock:redis://127.0.0.1:1?connectTimeout=200ms";

  /** For the parser. */
  public WarmUpCommand() {}

  @Override
  public Integer call() {
    int held = Lockctl.run("run", "--url", "lock:mem://warm-up", "--lock", "a", "--", "true");
    Lockctl.run("list", "--json", "--url", NOBODY);
    return held;
  }
}
