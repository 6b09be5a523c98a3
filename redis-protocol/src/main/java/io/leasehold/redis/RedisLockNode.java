package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Described;
import io.leasehold.spi.Failed;
import io.leasehold.spi.Findings;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks on Redis, in the layout {@code distlock}: a lock is a plain string with an expiry, whose
 * key is the lock's name and whose value is the owner id; and the further kinds of lock.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
final class RedisLockNode extends PlainLocks
    implements Described, Vouching, Findings, ReadWriteLocks, Semaphores, SeveralLocks {
  private static final int VOUCHED_AT_ONCE = 1_000;

  private final Duration bound;
  private final KindNode readers;
  private final KindNode writers;
  private final SeveralLocks oneByOne = OrderedLocks.of(this);
  private final LockListing listing;

  /**
   * @param bound how long closing may wait for servers
   */
  RedisLockNode(Requests requests, Duration bound) {
    super(
        requests,
        Capability.TRANSFER,
        Capability.FAIRNESS,
        Capability.FORCED_RELEASE,
        Capability.READ_WRITE,
        Capability.SEMAPHORES,
        Capability.SEVERAL,
        Capability.LISTING);
    this.bound = bound;
    this.readers = new KindNode(requests, Kind.READ, 0, Capability.FORCED_RELEASE);
    this.writers = new KindNode(requests, Kind.WRITE, 0, Capability.FORCED_RELEASE);
    this.listing = new HeldLocks(servers);
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    Guard guard = requests.guard;
    List<ScriptCall> calls =
        guard.keys().stream()
            .map(key -> Script.VOUCH.call(List.of(key), guard.quarantineMillis()))
            .toList();
    CompletionStage<VouchReply> vouched = CompletableFuture.completedStage(new Vouched(0));
    for (int from = 0; from < calls.size(); from += VOUCHED_AT_ONCE) {
      List<ScriptCall> next = calls.subList(from, Math.min(calls.size(), from + VOUCHED_AT_ONCE));
      vouched =
          vouched.thenCompose(
              reply ->
                  reply instanceof Failed ? CompletableFuture.completedStage(reply) : vouch(next));
    }
    return vouched;
  }

  private CompletionStage<VouchReply> vouch(List<ScriptCall> calls) {
    return Stages.all(
            servers.scripts().runAll(calls).stream()
                .map(reply -> reply.thenApply(Replies::vouch).exceptionally(Failures::of))
                .toList())
        .thenApply(
            all -> all.stream().filter(Failed.class::isInstance).findAny().orElse(all.get(0)));
  }

  @Override
  public LockNode readers() {
    return readers;
  }

  @Override
  public LockNode writers() {
    return writers;
  }

  @Override
  public LockNode permits(int permits) {
    if (permits < 1 || permits > MOST_PERMITS) {
      throw new IllegalArgumentException("between 1 and " + MOST_PERMITS + " permits: " + permits);
    }
    return new KindNode(requests, Kind.PERMIT, permits, Capability.FORCED_RELEASE);
  }

  @Override
  public LockNode all(List<String> names) {
    Set<String> each = new TreeSet<>(names);
    if (each.isEmpty() || each.size() != names.size() || names.size() > MOST_LOCKS) {
      throw new IllegalArgumentException("between 1 and " + MOST_LOCKS + " names, each once");
    }
    LockNode apart = oneByOne.all(names);
    try {
      List<LockKeys> keys = each.stream().map(servers.keys()::of).toList();
      boolean together =
          !servers.clustered() || keys.stream().mapToInt(LockKeys::slot).distinct().count() == 1;
      return together ? new SetView(requests, List.copyOf(each), keys, apart) : apart;
    } catch (IllegalArgumentException e) { // not a name: each request will say so
      return apart;
    }
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    if (kind == Vouching.class && !requests.guard.isOn()) {
      return Optional.empty();
    }
    return kind == LockListing.class ? Optional.of(kind.cast(listing)) : super.offer(kind);
  }

  @Override
  public void close() {
    CompletableFuture<?> left = requests.wakeUps.close();
    requests.card.close();
    Ending.await(left, bound);
    servers.close();
  }
}
