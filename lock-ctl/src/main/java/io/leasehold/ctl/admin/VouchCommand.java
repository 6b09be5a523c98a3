package io.leasehold.ctl.admin;

import io.leasehold.LockClient;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Target;
import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouching;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells the guard that servers are known to be new. */
@Command(
    name = "vouch",
    description = {
      "Tells the guard that the servers of the URL are known to be new, and that no lease which",
      "they may have lost is alive: they then grant at once. All servers of the URL must answer."
    })
public final class VouchCommand implements Callable<Integer> {
  private static final long PATIENCE_SECONDS = 60;

  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();
  @Mixin private Confirmation confirmation = new Confirmation();

  /** For the parser. */
  public VouchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    AtomicReference<LockNode> seen = new AtomicReference<>();
    LockClient client =
        target
            .builder()
            .option("commandTimeout", "5s") // there may be many servers
            .decorate(
                node -> {
                  seen.set(node);
                  return node;
                })
            .open();
    try {
      vouchFor(Objects.requireNonNull(seen.get()));
    } finally {
      client.close();
    }
    return ExitCodes.OK;
  }

  private void vouchFor(LockNode node) throws InterruptedException {
    String label = node.label();
    Vouching vouching =
        node.offer(Vouching.class)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCodes.USAGE,
                        "The guard is off for "
                            + label
                            + ": there is nothing to vouch for. It is on for redlock, Sentinel and"
                            + " Cluster, and with guard=on in the URL."));
    confirmation.ask(
        "Vouch that " + label + " is new, and that no lock it may have forgotten is still held");
    settle(label, vouch(vouching));
  }

  private void settle(String label, VouchReply reply) {
    if (reply instanceof Failed failed) {
      throw new CommandFailure(
          ExitCodes.UNAVAILABLE,
          label + " was not vouched for: " + failed.kind() + ": " + failed.message());
    }
    if (output.json()) {
      output.data(Json.of(Map.of("node", label, "vouched", true)));
    } else {
      output.data(label + " grants from now on");
    }
  }

  private static VouchReply vouch(Vouching vouching) throws InterruptedException {
    try {
      return vouching.vouch().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new CommandFailure(ExitCodes.UNAVAILABLE, "Nobody was vouched for: no answer.", e);
    }
  }
}
