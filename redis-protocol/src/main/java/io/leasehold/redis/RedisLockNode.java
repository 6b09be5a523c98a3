package io.leasehold.redis;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.spi.WatchReply;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Locks on Redis, in the layout {@code distlock}: a lock is a plain string with an expiry, whose
 * key is the lock's name and whose value is the owner id. Each request is one script, so it is
 * atomic on the server and one round trip.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
final class RedisLockNode implements LockNode, ForcedRelease, Vouching, Findings {
  private static final int VOUCHED_AT_ONCE = 1_000;

  private final String label;
  private final RedisPort port;
  private final ScriptRunner scripts;
  private final Replication replication;
  private final Extensions extensions;
  private final WakeUps wakeUps;
  private final Guard guard;
  private final Noticed noticed;
  private final String clientId;
  private final long fenceRetentionMillis;
  private final Set<Capability> capabilities;

  RedisLockNode(
      String label,
      RedisPort port,
      Executor background,
      Guard guard,
      Noticed noticed,
      LockUrl url,
      ProviderContext context) {
    this.label = label;
    this.port = port;
    this.scripts = new ScriptRunner(port);
    this.replication = Replication.of(url, scripts);
    this.extensions = new Extensions(replication::extend, port.clustered());
    this.clientId = context.clientId();
    this.fenceRetentionMillis = url.get(Options.FENCE_RETENTION).toMillis();
    this.guard = guard;
    this.noticed = noticed;
    this.capabilities = capabilities(guard);
    this.wakeUps =
        new WakeUps(port, clientId, background, name -> background.execute(() -> passOn(name)));
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    if (request.queueing() == Queueing.FAIR) {
      return CompletableFuture.completedStage(
          new Failed(
              FailureKind.OTHER,
              "this node does not declare the capability FAIRNESS: it cannot take Queueing.FAIR"));
    }
    long asked = wakeUps.asking(request.name());
    return this.<GrantReply>askReplicated(
            Script.GRANT,
            request.name(),
            request.owner(),
            keys ->
                Script.GRANT.call(
                    List.of(keys.lock(), keys.fence(), guard.key(keys.slot()), keys.waiters()),
                    request.owner(),
                    request.ttlMillis(),
                    request.proposal(),
                    request.notAfter(),
                    fenceRetentionMillis,
                    guard.quarantineMillis(),
                    clientId,
                    request.queueing() == Queueing.WAKE ? 1 : 0),
            Replies::grant,
            failed -> failed)
        .thenApply(
            reply -> {
              if (reply instanceof Granted || reply instanceof Busy) {
                wakeUps.answered(request.name(), asked);
              }
              return reply;
            });
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return ask(
        Script.RAISE,
        request.name(),
        keys ->
            Script.RAISE.call(
                List.of(keys.lock(), keys.fence(), guard.key(keys.slot())),
                request.owner(),
                request.token(),
                fenceRetentionMillis,
                guard.quarantineMillis()),
        Replies::raise,
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return withKeys(
        request.name(),
        keys ->
            scripts
                .runForHolder(
                    Script.RELEASE,
                    Script.RELEASE.call(
                        List.of(keys.lock(), keys.waiters(), keys.forced()), request.owner()))
                .thenApply(Replies::release),
        failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return extensions.extend(requests);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return askReplicated(
        Script.TRANSFER,
        request.name(),
        request.to(),
        keys ->
            Script.TRANSFER.call(
                List.of(
                    keys.lock(),
                    keys.fence(),
                    guard.key(keys.slot()),
                    keys.waiters(),
                    keys.forced()),
                request.from(),
                request.to(),
                request.ttlMillis(),
                request.proposal(),
                fenceRetentionMillis,
                guard.quarantineMillis()),
        Replies::transfer,
        failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return ask(
        Script.INSPECT,
        name,
        keys -> Script.INSPECT.call(List.of(keys.lock(), keys.fence(), keys.waiters())),
        Replies::inspect,
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return ask(
        Script.FORCE,
        name,
        keys -> Script.FORCE.call(List.of(keys.lock(), keys.waiters(), keys.forced())),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return wakeUps.watch(name, wake);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return port.info(NodeOpening.ANY_KEY)
        .<IdentityReply>thenApply(text -> ServerInfo.parse(text).identity())
        .exceptionally(Failures::of);
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    List<ScriptCall> calls =
        guard.keys().stream()
            .map(key -> Script.VOUCH.call(List.of(key), guard.quarantineMillis()))
            .toList();
    CompletionStage<VouchReply> vouched = vouch(calls.subList(0, 1));
    for (int from = 1; from < calls.size(); from += VOUCHED_AT_ONCE) {
      List<ScriptCall> next = calls.subList(from, Math.min(calls.size(), from + VOUCHED_AT_ONCE));
      vouched =
          vouched.thenCompose(
              reply ->
                  reply instanceof Failed ? CompletableFuture.completedStage(reply) : vouch(next));
    }
    return vouched;
  }

  @Override
  public List<Finding> findings() {
    return noticed.findings();
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return kind == Vouching.class && !guard.isOn() ? Optional.empty() : LockNode.super.offer(kind);
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public boolean blocking() {
    return port.blocking();
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public void close() {
    port.close();
  }

  @Override
  public String toString() {
    return label;
  }

  private static Set<Capability> capabilities(Guard guard) {
    Set<Capability> all =
        EnumSet.of(
            Capability.FENCING,
            Capability.TRANSFER,
            Capability.WAKE_UPS,
            Capability.FORCED_RELEASE);
    if (guard.isOn()) {
      all.add(Capability.GUARD);
    }
    return Set.copyOf(all);
  }

  private void passOn(String name) {
    LockKeys keys = LockKeys.of(name);
    // Whether it arrives is nobody's business: a wake-up may be lost.
    scripts.run(Script.WAKE, Script.WAKE.call(List.of(keys.lock(), keys.waiters())));
  }

  private CompletionStage<VouchReply> vouch(List<ScriptCall> calls) {
    CompletionStage<VouchReply> all = CompletableFuture.completedStage(new Vouched(0));
    for (CompletionStage<List<?>> reply : scripts.runAll(Script.VOUCH, calls)) {
      all =
          all.thenCombine(
              reply.thenApply(Replies::vouch).exceptionally(Failures::of),
              (before, next) -> before instanceof Failed ? before : next);
    }
    return all;
  }

  private <R> CompletionStage<R> ask(
      Script script,
      String name,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return withKeys(name, keys -> scripts.run(script, call.apply(keys)).thenApply(decode), failing);
  }

  /** As {@link #ask}, for what gives a lock to an owner: enough replicas must have it. */
  private <R> CompletionStage<R> askReplicated(
      Script script,
      String name,
      String owner,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return withKeys(
        name,
        keys ->
            replication
                .run(script, call.apply(keys))
                .thenCompose(
                    replicated -> {
                      R reply = decode.apply(replicated.reply());
                      if (!(reply instanceof Granted)) {
                        return CompletableFuture.completedStage(reply);
                      }
                      guard.heard(Replies.longestQuarantine(replicated.reply()));
                      return replication.suffices(replicated)
                          ? CompletableFuture.completedStage(reply)
                          : takeBack(name, owner, replication.tooFew(replicated))
                              .thenApply(failing);
                    }),
        failing);
  }

  /**
   * What too few replicas have was not granted. What could not be taken back is there, whatever the
   * reason (a server that has lost its replicas may refuse that, too): the engine must know.
   */
  private CompletionStage<Failed> takeBack(String name, String owner, Failed tooFew) {
    return release(new ReleaseRequest(name, owner))
        .thenApply(
            reply ->
                reply instanceof Failed failed
                    ? new Failed(
                        FailureKind.TIMEOUT,
                        tooFew.message() + ", and it could not be taken back: " + failed.message())
                    : tooFew);
  }

  private static <R> CompletionStage<R> withKeys(
      String name, Function<LockKeys, CompletionStage<R>> request, Function<Failed, R> failing) {
    LockKeys keys;
    try {
      keys = LockKeys.of(name);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(failing.apply(Failures.of(e)));
    }
    return request.apply(keys).exceptionally(error -> failing.apply(Failures.of(error)));
  }
}
