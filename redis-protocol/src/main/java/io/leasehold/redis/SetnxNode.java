package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks in the layout of older code that makes do with SETNX, GET, GETSET and DEL: the value is the
 * time at which the lock ends. Among clients of this node they are as sound as any on one server;
 * beside that other code they have its weaknesses, which {@code docs/migration.md} lists.
 */
final class SetnxNode extends LayoutNode {

  SetnxNode(String label, Description description, Servers servers, Noticed noticed) {
    super(
        label,
        description,
        servers,
        noticed,
        new Scripts(
            Script.SETNX_GRANT, Script.SETNX_EXTEND, Script.SETNX_INSPECT, SetnxNode::keys));
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return ask(
        request.name(),
        keys -> Script.SETNX_RELEASE.call(keys(keys), request.owner()),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return CompletableFuture.completedStage(unsupported("wake-ups"));
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  private static List<byte[]> keys(LockKeys keys) {
    return List.of(keys.lock(), keys.claim());
  }
}
