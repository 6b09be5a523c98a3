package io.leasehold.engine;

import io.leasehold.LockClosedException;
import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockStatus;
import io.leasehold.spi.Described;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.OffloadedNode;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.ServerClockEstimate;
import io.leasehold.spi.TimeSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one client, and what they share. It has two views of the node: {@link #direct} for
 * blocking callers, which may do its work on their thread, and {@link #node} for everybody else,
 * which never blocks.
 */
final class Engine {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  /** What a silent node is given beyond its command timeout before it counts as failed. */
  private static final long GRACE_NANOS = 100_000_000L;

  final Settings settings;
  final LockNode direct;
  final LockNode node;
  final TimeSource time;
  final Scheduler scheduler;
  final Executor callbacks;
  final Patience patience;
  final ServerClockEstimate clock;
  final Background background;
  final LeaseKeeper keeper;
  final LossLog losses;
  final Lines lines = new Lines();
  final ThreadHolds threadHolds = new ThreadHolds();
  final Facet plain;

  private final String label;
  private final Described.Description description;
  private final @Nullable EventDispatcher events;
  private final EngineContext context;
  private final OwnerIds ownerIds;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  Engine(LockNode node, Settings settings, EngineContext context, List<LockListener> listeners) {
    this.settings = settings;
    this.context = context;
    this.ownerIds = new OwnerIds(context.clientId(), context.random());
    this.direct = node;
    this.node = OffloadedNode.nonBlocking(node, () -> context.newBlockingExecutor(node.label()));
    this.time = context.time();
    this.scheduler = context.scheduler();
    this.callbacks = context.newCallbackExecutor();
    this.patience = new Patience(patienceNanos());
    this.clock = new ServerClockEstimate(time);
    this.background = new Background(scheduler, time, patienceNanos());
    // With threads of its own: renewals must not queue behind everybody's requests.
    LockNode renewing =
        OffloadedNode.nonBlocking(
            node, () -> context.newBlockingExecutor(node.label() + "-renewal"));
    this.keeper = new LeaseKeeper(scheduler, time, clock, patienceNanos());
    this.label = node.label();
    this.losses = new LossLog(callbacks, scheduler, label);
    this.plain = Facet.plain(node, this.node, renewing);
    this.description =
        node.offer(Described.class)
            .map(Described::description)
            .orElseGet(() -> new Described.Description(label, "unknown"));
    this.events = listeners.isEmpty() ? null : new EventDispatcher(listeners, time);
  }

  /** A fresh owner id, for one attempt. */
  String nextOwner() {
    return ownerIds.next();
  }

  /** A place in a fair line, for one call that waits. */
  String nextPlace() {
    return Long.toHexString(ownerIds.nextNumber());
  }

  /**
   * Gives up a place in a fair line. Close waits for it, for a bounded time. It may fail: a client
   * that lets its turn pass loses its place.
   */
  void leaveFairLine(String fullName, String place) {
    node.offer(FairLine.class)
        .ifPresent(
            line -> {
              workBegins();
              Safely.call(() -> line.leave(fullName, place), failed -> (LeaveReply) failed)
                  .whenComplete((reply, impossible) -> workEnds());
            });
  }

  /** A number of nanoseconds between the two bounds, to keep clients out of step. */
  long jitter(long least, long most) {
    return most <= least ? least : least + Math.floorMod(context.random().nextLong(), most - least);
  }

  long commandNanos() {
    return Nanos.of(settings.commandTimeout());
  }

  /** How long to wait for an answer before a silent node counts as failed. */
  long patienceNanos() {
    return commandNanos() + GRACE_NANOS;
  }

  CallEvents start(EngineLock lock, long waitNanos, AcquireCall.Mode mode) {
    return events == null
        ? CallEvents.SILENT
        : events.start(
            new AcquireCall(
                lock.name(),
                lock.facet().kind.told,
                description.provider(),
                description.topology(),
                label,
                waitNanos / 1_000_000,
                mode,
                events.now()));
  }

  /** This client has taken a lock away from its holder. */
  void forced(LockStatus before, String why) {
    if (events != null) {
      events.forced(before, why);
    }
  }

  boolean isClosed() {
    return closed;
  }

  void ensureOpen() {
    if (closed) {
      throw new LockClosedException();
    }
  }

  /** Something begins that close() waits for; {@link #workEnds} must follow. */
  void workBegins() {
    inFlight.incrementAndGet();
  }

  void workEnds() {
    inFlight.decrementAndGet();
  }

  /** True once nothing that might leave a lock behind is under way. */
  boolean isQuiet() {
    return inFlight.get() == 0 && background.pending() == 0;
  }

  void closing() {
    closed = true;
  }

  /** Ends everything. The node goes first, so that nobody waits for an answer any more. */
  void shutDown() {
    try {
      node.close();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-217 a lock node threw when it was closed", e);
    }
    if (events != null) {
      events.close();
    }
    context.close();
  }
}
