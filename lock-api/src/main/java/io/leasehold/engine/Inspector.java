package io.leasehold.engine;

import io.leasehold.LockCapabilityException;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockStatus;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Printable;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at locks for a person, and takes one away. */
final class Inspector {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  /** As {@link OwnerIds} makes them. */
  private static final Pattern OWNER = Pattern.compile("([0-9a-f]{32})-[0-9a-f]+-[0-9a-f]{16}");

  private static final int AT_ONCE = 64;

  /**
   * Each step of a listing is bounded like a command; how many there are is the servers' matter.
   */
  private static final long LISTING_NANOS = Duration.ofMinutes(10).toNanos();

  private final Engine engine;

  Inspector(Engine engine) {
    this.engine = engine;
  }

  LockStatus inspect(String name) {
    engine.ensureOpen();
    String fullName = fullName(name);
    InspectReply reply =
        BlockingCalls.awaitUninterruptibly(
            () -> engine.direct.inspect(fullName), engine, failed -> (InspectReply) failed);
    if (reply instanceof Failed failed) {
      throw unavailable("The lock '" + Printable.of(name) + "' could not be inspected", failed);
    }
    return status(name, (Inspection) reply);
  }

  List<LockStatus> list(String pattern, int limit) {
    engine.ensureOpen();
    if (limit < 1) {
      throw new LockConfigurationException(
          ErrorCode.BAD_VALUE, "limit", "A list of at most " + limit + " locks tells nothing");
    }
    LockListing listing =
        engine
            .direct
            .offer(LockListing.class)
            .orElseThrow(
                () -> new LockCapabilityException(cannot("list locks", Capability.LISTING)));
    String prefix = engine.settings.prefix();
    ListReply reply =
        BlockingCalls.awaitUninterruptibly(
            () -> listing.list(Globs.quoted(prefix) + pattern, limit),
            engine,
            LISTING_NANOS,
            failed -> (ListReply) failed);
    if (reply instanceof Failed failed) {
      throw unavailable("The locks could not be listed", failed);
    }
    List<String> names = ((Listed) reply).names();
    List<LockStatus> held = new ArrayList<>();
    for (int from = 0; from < names.size(); from += AT_ONCE) {
      held.addAll(inspectAll(names.subList(from, Math.min(from + AT_ONCE, names.size()))));
    }
    return held;
  }

  private String cannot(String what, Capability capability) {
    LockNode node = engine.direct;
    return node.label() + " cannot " + what + LockKinds.whyNot(node, capability);
  }

  /** Those that are still held. */
  private List<LockStatus> inspectAll(List<String> fullNames) {
    List<CompletionStage<InspectReply>> asked =
        fullNames.stream()
            .map(
                name ->
                    Safely.call(() -> engine.node.inspect(name), failed -> (InspectReply) failed))
            .toList();
    List<LockStatus> held = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      CompletableFuture<InspectReply> stage = asked.get(i).toCompletableFuture();
      InspectReply reply =
          BlockingCalls.awaitUninterruptibly(() -> stage, engine, failed -> (InspectReply) failed);
      String name = fullNames.get(i).substring(engine.settings.prefix().length());
      if (reply instanceof Failed failed) {
        throw unavailable("The lock '" + Printable.of(name) + "' could not be inspected", failed);
      }
      LockStatus status = status(name, (Inspection) reply);
      if (status.holder().isPresent()) {
        held.add(status);
      }
    }
    return held;
  }

  LockStatus forceRelease(String name, String why) {
    ForcedRelease force =
        engine
            .direct
            .offer(ForcedRelease.class)
            .orElseThrow(
                () ->
                    new LockCapabilityException(
                        cannot("release locks by force", Capability.FORCED_RELEASE)));
    LockStatus before = inspect(name);
    String fullName = fullName(name);
    ReleaseReply reply =
        BlockingCalls.awaitUninterruptibly(
            () -> force.forceRelease(fullName), engine, failed -> (ReleaseReply) failed);
    if (reply instanceof Failed failed) {
      throw unavailable(
          "The release of the lock '" + Printable.of(name) + "' by force was not confirmed",
          failed);
    }
    if (!(reply instanceof Released)) {
      return new LockStatus(name, Optional.empty(), before.waiters());
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "LH-218 the lock ''{0}'' on {1} was released by force; it was held by {2}; why: {3}",
        Printable.of(name),
        engine.direct.label(),
        before.holder().map(Inspector::shown).orElse("somebody who came just then"),
        Printable.of(why));
    engine.forced(before, why);
    return before;
  }

  private static String shown(LockStatus.Holder holder) {
    String shown =
        holder.clientId().map(id -> "the client " + id).orElse("a foreign client")
            + holder.host().map(host -> " on " + host).orElse("")
            + (holder.process().isPresent() ? ", process " + holder.process().getAsLong() : "");
    return Printable.of(shown);
  }

  private LockStatus status(String name, Inspection inspection) {
    return new LockStatus(
        name,
        inspection.holder().map(holder -> holder(holder, inspection.fence())),
        inspection.waiters());
  }

  private LockStatus.Holder holder(Inspection.Holder holder, long fence) {
    Matcher owner = OWNER.matcher(holder.owner());
    Optional<String> id =
        owner.matches() ? Optional.of(owner.group(1)) : holder.client().map(ClientInfo::id);
    boolean tokens = engine.plain.fencing && fence > 0 && id.isPresent();
    return new LockStatus.Holder(
        holder.client().map(ClientInfo::name).filter(text -> !text.isEmpty()),
        id,
        holder.client().map(ClientInfo::host).filter(text -> !text.isEmpty()),
        holder.client().map(ClientInfo::process).map(OptionalLong::of).orElse(OptionalLong.empty()),
        // A token is the server's clock when it was given, give or take the span it may differ by.
        tokens ? Optional.of(instant(fence)) : Optional.empty(),
        holder.remainingMillis() < 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(holder.remainingMillis())),
        tokens ? OptionalLong.of(fence) : OptionalLong.empty());
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }

  private String fullName(String name) {
    return LockNames.full(engine.settings.prefix(), name);
  }

  private RuntimeException unavailable(String what, Failed failed) {
    return Answers.unavailable(what, engine.direct.label(), failed);
  }
}
