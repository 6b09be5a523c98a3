package io.leasehold.tck.bench;

import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.Capability;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Subject;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The work bench of one check. Whatever is opened here is closed when the check has ended. Safe for
 * use by several threads of the check.
 */
public final class Bench implements AutoCloseable {
  private static final AtomicInteger BENCHES = new AtomicInteger();

  private final Subject subject;
  private final Interference interference;
  private final Voucher voucher;
  private final String id;
  private final Random random;
  private final AtomicInteger names = new AtomicInteger();
  private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
  private volatile boolean randomWasUsed;
  private volatile boolean closed;
  private @Nullable SyncNode node;
  private @Nullable ArmedFaults faults;
  private @Nullable Members members;

  /**
   * A bench for a check.
   *
   * @param voucher vouches for servers that a fault has made new
   * @param seed of its random numbers
   */
  public Bench(Subject subject, Interference interference, Voucher voucher, long seed) {
    this.subject = subject;
    this.interference = interference;
    this.voucher = voucher;
    this.random = new Random(seed);
    this.id =
        "tck-"
            + HexFormat.of().toHexDigits(System.nanoTime(), 8)
            + "-"
            + Integer.toHexString(BENCHES.incrementAndGet());
  }

  /** What is being certified. */
  public Subject subject() {
    return subject;
  }

  /** How late things may be; to be added to upper bounds. */
  public Duration tolerance() {
    return subject.tolerance();
  }

  /** A bound with the tolerance added. */
  public Duration within(Duration bound) {
    return bound.plus(subject.tolerance());
  }

  /** A lock name that nobody else uses. */
  public String name() {
    return id + "-" + names.incrementAndGet();
  }

  /** A fresh owner id, for raw requests. */
  public String owner() {
    return id + "-owner-" + names.incrementAndGet();
  }

  /** Random numbers whose seed is in the report. */
  public RandomGenerator random() {
    randomWasUsed = true;
    return random;
  }

  /** Whether the check drew random numbers. */
  public boolean randomWasUsed() {
    return randomWasUsed;
  }

  /** A client to be opened with something special. */
  public Opening client() {
    return new Opening(opening -> opened(opening, tap -> tap));
  }

  /** A client with nothing special. */
  public LockClient open() {
    return client().open();
  }

  /** A raw node of the subject, the same one for the whole check. */
  public synchronized SyncNode node() {
    if (node == null) {
      node = newNode();
    }
    return node;
  }

  /** Another raw node of the subject: that of a further client. */
  public SyncNode newNode() {
    return newNode(client());
  }

  /** The same for servers that may still be coming back: it tries again until the bound. */
  public SyncNode newNodeWithin(Duration bound) throws InterruptedException {
    long end = System.nanoTime() + within(bound).toNanos();
    while (true) {
      try {
        return newNode();
      } catch (LockUnavailableException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
      Waiting.pause(Duration.ofMillis(100));
    }
  }

  /**
   * The raw node of a client opened in a special way; taps of the opening are not on it, those on
   * the members of a quorum are.
   */
  public SyncNode newNode(Opening special) {
    AtomicReference<LockNode> captured = new AtomicReference<>();
    opened(
        special,
        raw -> {
          captured.set(raw);
          return raw;
        });
    LockNode raw = captured.get();
    if (raw == null) {
      throw new IllegalStateException("the client was opened without a node");
    }
    return new SyncNode(raw);
  }

  /** Whether the subject's node declares a capability. */
  public boolean has(Capability capability) {
    return node().has(capability);
  }

  /**
   * The faults; only for checks of requirements that are tested with them. After a restart and a
   * loss of state the servers have been vouched for, if the subject has a guard.
   */
  public Faults faults() {
    return armed();
  }

  /** As {@link Faults#restart()}, but a guard is left to do its work until {@link #vouch()}. */
  public void restartWithoutVouching() {
    armed().restartWithoutVouching();
  }

  /** As {@link Faults#loseState()}, but a guard is left to do its work until {@link #vouch()}. */
  public void loseStateWithoutVouching() {
    armed().loseStateWithoutVouching();
  }

  /** Vouches for the servers; if a check leaves it out, it is done when the check has ended. */
  public void vouch() {
    armed().vouch();
  }

  /** The servers of a quorum one by one; only for checks that need a quorum. */
  public synchronized Members members() {
    if (members == null) {
      members = new Members(this, subject.quorum().get(), voucher);
    }
    return members;
  }

  private synchronized ArmedFaults armed() {
    if (faults == null) {
      faults = new ArmedFaults(subject.faults().get(), voucher);
    }
    return faults;
  }

  /** Runs something on a thread of its own. What it throws comes out of the future. */
  public <T> CompletableFuture<T> fork(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            id + "-thread");
    thread.setDaemon(true);
    open.push(thread::interrupt);
    thread.start();
    return result;
  }

  /** Closes something when the check has ended. */
  public <T extends AutoCloseable> T track(T resource) {
    open.push(resource);
    if (closed) {
      closeQuietly(resource);
    }
    return resource;
  }

  private LockClient opened(Opening opening, Tap innermost) {
    interference.before(opening);
    LocksBuilder builder = subject.builder();
    return track(interference.after(opening.openWith(builder, innermost)));
  }

  /** Heals the faults, then closes what was opened, the last first. Throws if it cannot heal. */
  @Override
  public void close() {
    closed = true;
    ArmedFaults armed;
    Members single;
    synchronized (this) {
      armed = faults;
      single = members;
    }
    try {
      if (armed != null) {
        armed.close();
      }
    } finally {
      try {
        if (single != null) {
          single.close();
        }
      } finally {
        for (AutoCloseable next = open.poll(); next != null; next = open.poll()) {
          closeQuietly(next);
        }
      }
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      // A client that cannot be closed is what STOP verifies; here it hides no other result.
      System.getLogger(Bench.class.getName()).log(System.Logger.Level.DEBUG, "closing failed", e);
    }
  }
}
