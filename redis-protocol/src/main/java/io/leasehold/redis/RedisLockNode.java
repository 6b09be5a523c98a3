package io.leasehold.redis;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
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
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Locks on one Redis server, in the layout {@code distlock}: a lock is a plain string with an
 * expiry, whose key is the lock's name and whose value is the owner id. Each request is one script,
 * so it is atomic on the server and one round trip.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
public final class RedisLockNode implements LockNode, ForcedRelease {
  private static final Set<Capability> CAPABILITIES =
      Set.of(
          Capability.FENCING, Capability.TRANSFER, Capability.WAKE_UPS, Capability.FORCED_RELEASE);

  private final String label;
  private final RedisPort port;
  private final ScriptRunner scripts;
  private final Extensions extensions;
  private final WakeUps wakeUps;
  private final String clientId;
  private final long fenceRetentionMillis;

  RedisLockNode(String label, RedisPort port, LockUrl url, ProviderContext context) {
    this.label = label;
    this.port = port;
    this.scripts = new ScriptRunner(port);
    this.extensions = new Extensions(scripts);
    this.clientId = context.clientId();
    this.fenceRetentionMillis = url.get(Options.FENCE_RETENTION).toMillis();
    // A wake-up is passed on from threads that must not block.
    Executor background = port.blocking() ? context.newBlockingExecutor(label) : Runnable::run;
    this.wakeUps = new WakeUps(port, clientId, name -> background.execute(() -> passOn(name)));
  }

  /**
   * Opens a node on a server, and checks that the server may be used for locks.
   *
   * @param provider the provider's name, for messages
   * @param connector opens the port, within the URL's connect timeout; throws a {@link
   *     RedisConnectionFailure} or a {@link RedisErrorReply} when it cannot, and then leaves
   *     nothing behind. Called once, after the URL has been checked.
   * @throws io.leasehold.spi.InvalidConfigurationException when the URL asks for what this layout
   *     cannot do
   * @throws io.leasehold.spi.NodeUnavailableException when the server cannot be reached or must not
   *     be used
   */
  public static RedisLockNode open(
      String provider,
      LockUrl url,
      ProviderContext context,
      Supplier<? extends RedisPort> connector) {
    return new NodeOpening(provider, url, context).open(connector);
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
    return this.<GrantReply>ask(
            Script.GRANT,
            request.name(),
            keys ->
                Script.GRANT.call(
                    List.of(keys.lock(), keys.fence(), keys.waiters()),
                    request.owner(),
                    request.ttlMillis(),
                    request.proposal(),
                    request.notAfter(),
                    fenceRetentionMillis,
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
                List.of(keys.lock(), keys.fence()),
                request.owner(),
                request.token(),
                fenceRetentionMillis),
        Replies::raise,
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return ask(
        Script.RELEASE,
        request.name(),
        keys ->
            Script.RELEASE.call(
                List.of(keys.lock(), keys.waiters(), keys.forced()), request.owner()),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return extensions.extend(requests);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return ask(
        Script.TRANSFER,
        request.name(),
        keys ->
            Script.TRANSFER.call(
                List.of(keys.lock(), keys.fence(), keys.forced()),
                request.from(),
                request.to(),
                request.ttlMillis(),
                request.proposal(),
                fenceRetentionMillis),
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
  public Set<Capability> capabilities() {
    return CAPABILITIES;
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

  private void passOn(String name) {
    LockKeys keys = LockKeys.of(name);
    // Whether it arrives is nobody's business: a wake-up may be lost.
    scripts.run(Script.WAKE, Script.WAKE.call(List.of(keys.lock(), keys.waiters())));
  }

  private <R> CompletionStage<R> ask(
      Script script,
      String name,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    LockKeys keys;
    try {
      keys = LockKeys.of(name);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(failing.apply(Failures.of(e)));
    }
    return scripts
        .run(script, call.apply(keys))
        .thenApply(decode)
        .exceptionally(error -> failing.apply(Failures.of(error)));
  }
}
