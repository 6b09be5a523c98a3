package io.leasehold.ctl.admin;

import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockStatus;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Target;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lock away from its holder. */
@Command(
    name = "release",
    description = {
      "Takes a lock away from whoever holds it. What the holder does goes on until it looks at its",
      "lease: be sure that it is dead, or that its writes are fenced."
    })
public final class ReleaseCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();
  @Mixin private Confirmation confirmation = new Confirmation();

  @Parameters(paramLabel = "NAME", description = "The lock.")
  private String name = "";

  @Option(names = "--force", description = "Required: only the holder can release it otherwise.")
  private boolean force;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the logs.")
  private String reason = "";

  @Option(
      names = "--audit-file",
      paramLabel = "FILE",
      description =
          "Adds who, when and what to this file. Nothing is done if it cannot be written.")
  private @Nullable Path auditFile;

  /** For the parser. */
  public ReleaseCommand() {}

  @Override
  public Integer call() {
    if (!force) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "A lock is released by its holder; to take it away from it, say --force.");
    }
    try (LockClient client = target.open()) {
      LockStatus now = client.inspect(name);
      if (now.holder().isEmpty()) {
        return nobody();
      }
      String holder = Statuses.shown(now.holder().get());
      confirmation.ask("Take the lock '" + name + "' away, " + holder);
      return release(client, now);
    }
  }

  private int release(LockClient client, LockStatus now) {
    Map<String, Object> what = new LinkedHashMap<>();
    what.put("lock", name);
    what.put("servers", target.shown());
    what.put("reason", reason);
    Audit audit = new Audit(Optional.ofNullable(auditFile), what);
    audit.intend();
    LockStatus before;
    try {
      before =
          client.forceRelease(
              name, "lockctl by " + audit.who() + (reason.isEmpty() ? "" : ": " + reason));
    } catch (LockException e) {
      audit.done("failed", Map.of("error", e.getMessage() + "", "status", Statuses.json(now)));
      throw e;
    }
    if (before.holder().isEmpty()) {
      audit.done("nobody held it", Map.of());
      return nobody();
    }
    Map<String, Object> line = audit.done("released", Map.of("status", Statuses.json(before)));
    if (output.json()) {
      output.data(Json.of(line));
    } else {
      output.data(name + " released; it was " + Statuses.shown(before.holder().get()));
    }
    return ExitCodes.OK;
  }

  private int nobody() {
    if (output.json()) {
      output.data(Json.of(Map.of("lock", name, "outcome", "nobody held it")));
    }
    output.tell("free", "nobody holds the lock '" + name + "'", Map.of("lock", name));
    return ExitCodes.NO;
  }
}
