package io.leasehold.redis;

import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.WatchReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks in the layout of older code that makes do with SETNX, GET, GETSET and DEL: the value is the
 * time at which the lock ends. Among clients of this node they are as sound as any on one server;
 * beside that other code they have its weaknesses, which {@code docs/migration.md} lists.
 */
final class SetnxNode extends LayoutNode {

  private static final Operation RELEASE = new Operation(Script.SETNX_RELEASE, Key.LOCK, Key.CLAIM);

  SetnxNode(Servers servers) {
    super(
        servers,
        new Operation(Script.SETNX_GRANT, RELEASE.keys()),
        new Operation(Script.SETNX_EXTEND, RELEASE.keys()),
        new Operation(Script.SETNX_INSPECT, RELEASE.keys()));
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return servers.ask(
        request.name(),
        keys -> RELEASE.on(keys, request.owner()),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return CompletableFuture.completedStage(unsupported("wake-ups"));
  }
}
