package io.leasehold.engine;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.DistributedSemaphore;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockOptions;
import io.leasehold.LockStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NodeUnavailableException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A client: the front of an {@link Engine}. */
public final class EngineClient implements LockClient {
  private final Engine engine;
  private final LockKinds kinds;
  private final Inspector inspector;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  private EngineClient(Engine engine) {
    this.engine = engine;
    this.kinds = new LockKinds(engine);
    this.inspector = new Inspector(engine);
  }

  /**
   * Opens a client over a node. Asks the node who it is: that shows that it can be used, and what
   * its clock says. A lazy client is opened all the same when it does not answer.
   *
   * @throws NodeUnavailableException when the node does not answer, or is a replica
   */
  public static LockClient open(
      LockNode node, Settings settings, EngineContext context, List<LockListener> listeners) {
    if (settings.fair() && !LockKinds.offersFairLocks(node)) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED, "fair", LockKinds.noFairLocks(node));
    }
    Engine engine = new Engine(node, settings, context, listeners);
    IdentityReply reply =
        BlockingCalls.awaitUninterruptibly(
            () -> Safely.call(node::identity, failed -> failed), engine, failed -> failed);
    if (reply instanceof Failed failed && !settings.lazy()) {
      throw new NodeUnavailableException(node.label(), failed);
    }
    if (reply instanceof Identity identity) {
      if (identity.role() == Identity.Role.REPLICA) {
        throw new NodeUnavailableException(
            node.label(),
            new Failed(FailureKind.READ_ONLY, "it is a replica; locks need a primary"));
      }
      engine.clock.learn(identity);
    }
    return new EngineClient(engine);
  }

  @Override
  public DistributedLock lock(String name) {
    return lock(name, LockOptions.defaults());
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return kinds.lock(name, options);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, LockOptions.defaults());
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return kinds.readWriteLock(name, options);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return semaphore(name, permits, LockOptions.defaults());
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return kinds.semaphore(name, permits, options);
  }

  @Override
  public DistributedLock all(String... names) {
    return all(Arrays.asList(names), LockOptions.defaults());
  }

  @Override
  public DistributedLock all(Collection<String> names, LockOptions options) {
    return kinds.all(names, options);
  }

  @Override
  public LockStatus inspect(String name) {
    return inspector.inspect(name);
  }

  @Override
  public List<LockStatus> list(String pattern, int limit) {
    return inspector.list(pattern, limit);
  }

  @Override
  public LockStatus forceRelease(String name, String why) {
    return inspector.forceRelease(name, why);
  }

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      awaitClosed();
      return;
    }
    boolean interrupted = Thread.interrupted(); // nothing of what follows may be cut short
    try {
      engine.closing();
      engine.lines.lookAll();
      engine.keeper.all().forEach(lease -> lease.lose(LossReason.CLIENT_CLOSED));
      awaitQuiet();
      engine.shutDown();
    } finally {
      closed.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until what was held has been given back; bounded, for a server that does not answer. */
  private void awaitQuiet() {
    boolean interrupted = false;
    long end = engine.time.monotonicNanos() + 2 * engine.patienceNanos();
    long giveUp = System.nanoTime() + 2 * engine.patienceNanos(); // a clock that stands still
    while (!engine.isQuiet()
        && engine.time.monotonicNanos() - end < 0
        && System.nanoTime() - giveUp < 0) {
      interrupted |= Thread.interrupted(); // a set flag would turn the pause into a busy loop
      LockSupport.parkNanos(1_000_000L);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitClosed() {
    try {
      if (!closed.await(4 * engine.patienceNanos(), TimeUnit.NANOSECONDS)) {
        return; // another thread is still closing; it is bounded too
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "LockClient[" + engine.direct.label() + "]";
  }
}
