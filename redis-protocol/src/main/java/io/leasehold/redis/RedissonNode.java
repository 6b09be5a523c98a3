package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Locks in the layout of Redisson's {@code RLock}, which exclude and wake Redisson's clients and
 * are excluded and woken by them. A release wakes everybody who waits: that is Redisson's way.
 * Redisson's fair, spin and read-write locks keep more keys than these, and are not to be mixed
 * with either.
 */
final class RedissonNode extends LayoutNode {
  private static final Set<Capability> CAPABILITIES = Set.of(Capability.WAKE_UPS);

  private final LockChannels channels;
  private final int clustered;

  RedissonNode(
      String label,
      Description description,
      Servers servers,
      Noticed noticed,
      Scheduler scheduler) {
    super(
        label,
        description,
        servers,
        noticed,
        new Scripts(
            Script.REDISSON_GRANT,
            Script.REDISSON_EXTEND,
            Script.REDISSON_INSPECT,
            keys -> List.of(keys.lock())));
    this.channels =
        new LockChannels(servers.port(), scheduler, servers.background(), servers.clustered());
    this.clustered = servers.clustered() ? 1 : 0;
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return ask(
        request.name(),
        keys ->
            Script.REDISSON_RELEASE.call(
                List.of(keys.lock()),
                request.owner(),
                LockChannels.channel(request.name()),
                clustered,
                channels.isWatched(request.name()) ? 1 : 0),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return channels.watch(name, wake);
  }

  @Override
  Object[] inspectWith(String name) {
    return new Object[] {LockChannels.channel(name), clustered};
  }

  @Override
  public void close() {
    channels.close();
    super.close();
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }
}
