package io.leasehold.redis;

import io.leasehold.spi.Described;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What the nodes of other people's layouts share: locks without tokens, without a guard and without
 * companions that would outlive them, each request one script.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
abstract class LayoutNode implements LockNode, Described, Findings {

  /**
   * The scripts of a layout.
   *
   * @param keys which keys of a lock each of them takes; the lock's own first
   */
  record Scripts(
      Script grant, Script extend, Script inspect, Function<LockKeys, List<byte[]>> keys) {}

  private final String label;
  private final Description description;
  private final Servers servers;
  private final Scripts scripts;
  private final ScriptRunner runner;
  private final Extensions extensions;
  private final Noticed noticed;

  LayoutNode(
      String label, Description description, Servers servers, Noticed noticed, Scripts scripts) {
    this.label = label;
    this.description = description;
    this.servers = servers;
    this.noticed = noticed;
    this.scripts = scripts;
    this.runner = servers.scripts();
    this.extensions =
        new Extensions(
            scripts.extend, this::heldKeys, runner::runAll, servers.clustered(), List.of());
  }

  @Override
  public final CompletionStage<GrantReply> grant(GrantRequest request) {
    return ask(
        request.name(),
        keys ->
            scripts.grant.call(
                scripts.keys.apply(keys), request.owner(), request.ttlMillis(), request.notAfter()),
        Replies::grantWithoutToken,
        failed -> failed);
  }

  @Override
  public final CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return extensions.extend(requests);
  }

  @Override
  public final CompletionStage<InspectReply> inspect(String name) {
    return ask(
        name,
        keys -> scripts.inspect.call(scripts.keys.apply(keys), inspectWith(name)),
        Replies::inspectHolder,
        failed -> failed);
  }

  @Override
  public final CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return CompletableFuture.completedStage(unsupported("fencing tokens"));
  }

  @Override
  public final CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedStage(unsupported("hand-overs"));
  }

  @Override
  public final CompletionStage<IdentityReply> identity() {
    return servers.identity();
  }

  @Override
  public final List<Finding> findings() {
    return noticed.findings();
  }

  @Override
  public final boolean blocking() {
    return servers.port().blocking();
  }

  @Override
  public final String label() {
    return label;
  }

  @Override
  public final Description description() {
    return description;
  }

  @Override
  public void close() {
    servers.close();
  }

  @Override
  public final String toString() {
    return label;
  }

  /** What the script takes to inspect a lock, beside its keys. */
  Object[] inspectWith(String name) {
    return new Object[0];
  }

  private HeldKeys heldKeys(String name) {
    LockKeys keys = LockKeys.of(name);
    return new HeldKeys(keys.slot(), scripts.keys.apply(keys));
  }

  /** Sends the call of a script, and makes an answer of whatever comes back. */
  final <R> CompletionStage<R> ask(
      String name,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    ScriptCall made;
    try {
      made = call.apply(LockKeys.of(name));
    } catch (IllegalArgumentException e) { // not a name
      return CompletableFuture.completedFuture(failing.apply(Failures.of(e)));
    }
    return Asked.of(runner, made, decode, failing);
  }

  /** To somebody who asks for what is not among the capabilities. */
  final Failed unsupported(String what) {
    return new Failed(FailureKind.OTHER, label + " has no " + what + " with this layout");
  }
}
