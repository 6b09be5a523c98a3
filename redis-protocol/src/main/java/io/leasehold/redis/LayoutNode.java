package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Described;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What the nodes of other people's layouts share: locks without tokens, without a guard and without
 * companions that would outlive them, each request one script.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
abstract class LayoutNode extends RedisNode implements Described, Findings {
  private final Operation grant;
  private final Operation inspect;
  private final Extensions extensions;

  LayoutNode(
      Servers servers,
      Operation grant,
      Operation extend,
      Operation inspect,
      Capability... capabilities) {
    super(servers, Set.of(capabilities));
    this.grant = grant;
    this.inspect = inspect;
    this.extensions = new Extensions(servers, extend);
  }

  @Override
  public final CompletionStage<GrantReply> grant(GrantRequest request) {
    return servers.ask(
        request.name(),
        keys -> grant.on(keys, request.owner(), request.ttlMillis(), request.notAfter()),
        Replies::grantWithoutToken,
        failed -> failed);
  }

  @Override
  public final CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return extensions.extend(requests);
  }

  @Override
  public final CompletionStage<InspectReply> inspect(String name) {
    return servers.ask(
        name,
        keys -> inspect.on(keys, inspectWith(name)),
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
  public void close() {
    servers.close();
  }

  /** What the script takes to inspect a lock, beside its keys. */
  Object[] inspectWith(String name) {
    return new Object[0];
  }

  /** The answer to a request for what is not among the capabilities. */
  final Failed unsupported(String what) {
    return new Failed(FailureKind.OTHER, label() + " has no " + what + " with this layout");
  }
}
