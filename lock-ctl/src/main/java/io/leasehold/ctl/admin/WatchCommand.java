package io.leasehold.ctl.admin;

import io.leasehold.LockClient;
import io.leasehold.LockStatus;
import io.leasehold.LockUnavailableException;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Follows one lock by asking again and again: a holder that comes and goes between two questions is
 * not seen.
 */
@Command(
    name = "watch",
    description = "Tells each change of a lock's holder or waiters, until it is interrupted.")
public final class WatchCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Parameters(paramLabel = "NAME", description = "The lock.")
  private String name = "";

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "How often the servers are asked (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ofSeconds(1);

  @Option(names = "--until-free", description = "Ends as soon as nobody holds the lock.")
  private boolean untilFree;

  /** For the parser. */
  public WatchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    String before = "";
    try (LockClient client = target.open()) {
      while (!output.isUnread()) {
        String now;
        boolean free = false;
        Map<String, Object> event;
        try {
          LockStatus status = client.inspect(name);
          free = status.holder().isEmpty();
          now = identity(status);
          event = Statuses.json(status);
        } catch (LockUnavailableException e) {
          now = "unavailable";
          event = new LinkedHashMap<>(Map.of("lock", name, "unavailable", e.getMessage() + ""));
        }
        if (!now.equals(before)) {
          print(event, now);
          before = now;
        }
        if (free && untilFree) {
          return ExitCodes.OK;
        }
        TimeUnit.NANOSECONDS.sleep(Math.max(1_000_000, interval.toNanos()));
      }
    }
    return ExitCodes.OK;
  }

  /** The same for as long as nothing changes but the time. */
  private static String identity(LockStatus status) {
    String waiters =
        status.waiters() == 0
            ? ""
            : ", " + status.waiters() + (status.waiters() == 1 ? " waits" : " wait");
    return status.holder().map(Statuses::who).orElse("free") + waiters;
  }

  private void print(Map<String, Object> event, String text) {
    Instant at = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    if (output.json()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("at", at);
      members.putAll(event);
      output.data(Json.of(members));
    } else {
      output.data(at + "  " + name + "  " + text);
    }
  }
}
