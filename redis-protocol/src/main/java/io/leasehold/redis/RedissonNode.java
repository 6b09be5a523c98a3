package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.WatchReply;
import java.util.concurrent.CompletionStage;

/**
 * Locks in the layout of Redisson's {@code RLock}, which exclude and wake Redisson's clients and
 * are excluded and woken by them. As in Redisson, a release wakes all clients that wait. Redisson's
 * fair, spin and read-write locks keep more keys than these, and are not to be mixed with either.
 */
final class RedissonNode extends LayoutNode {
  private static final Operation RELEASE = new Operation(Script.REDISSON_RELEASE, Key.LOCK);

  private final LockChannels channels;
  private final int clustered;

  RedissonNode(Servers servers) {
    super(
        servers,
        new Operation(Script.REDISSON_GRANT, Key.LOCK),
        new Operation(Script.REDISSON_EXTEND, Key.LOCK),
        new Operation(Script.REDISSON_INSPECT, Key.LOCK),
        Capability.WAKE_UPS);
    this.channels = new LockChannels(servers);
    this.clustered = servers.clustered() ? 1 : 0;
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return servers.ask(
        request.name(),
        keys ->
            RELEASE.on(
                keys,
                request.owner(),
                LockChannels.channel(request.name()),
                clustered,
                channels.isWatched(request.name()) ? 1 : 0),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return servers.with(name, keys -> channels.watch(name, wake), failed -> failed);
  }

  @Override
  Object[] inspectWith(String name) {
    return new Object[] {LockChannels.channel(name), clustered};
  }

  @Override
  public void close() {
    channels.endAll();
    super.close();
  }
}
