package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemorySide.Called;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The readers' side of read-write locks, with the downgrade. */
final class MemoryReaders extends MemorySharedView<MemoryReadWriteLock> {

  MemoryReaders(
      MemoryNode node,
      MemorySpace space,
      MemoryTable<MemoryReadWriteLock> table,
      MemoryWatchers ears) {
    super(node, space, table, lock -> lock.readers, ears, 0);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return answer(() -> downgraded(request), failed -> failed);
  }

  /**
   * That another reader has lifted the fence is no reason to refuse: what counts is every writer,
   * and none came since the first of these readers did.
   */
  @Override
  long leastToken(MemorySide wanted, long known) {
    return Math.min(known, wanted.fenceBefore + 1);
  }

  /** Those readers who wait may come, too. */
  private TransferReply downgraded(TransferRequest request) {
    List<Called> called;
    TransferReply reply;
    synchronized (space) {
      long now = space.now();
      MemoryReadWriteLock lock = table.get(request.name(), now);
      if (!lock.downgrade(request.from(), held(request.to(), request.ttlMillis(), now), now)) {
        return lock.writers.holders.notHeld(request.from(), now);
      }
      reply = granted(request.name(), request.proposal(), lock.readers, now);
      called = lock.writers.ended(now);
    }
    called.forEach(Called::call);
    return reply;
  }
}
