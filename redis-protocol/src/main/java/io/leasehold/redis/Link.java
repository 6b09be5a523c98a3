package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is made anew whenever it breaks, or whenever its user finds it of no use. A
 * link that is {@linkplain Mode#KEPT kept} does so in the background, and meanwhile tells its users
 * at once that there is none, and why. One {@linkplain Mode#ON_DEMAND on demand} is made when a
 * user needs it, whose thread waits for it; but not for longer than anybody's patience, however
 * many servers have to be asked for the way.
 *
 * @param <C> the kind of connection
 */
final class Link<C> {
  private static final Duration FIRST_DELAY = Duration.ofMillis(10);
  private static final Duration LONGEST_DELAY = Duration.ofMillis(500);

  /** When a connection is made. */
  enum Mode {
    KEPT,
    ON_DEMAND
  }

  /** Makes connections. */
  interface Maker<C> {

    /**
     * Makes a connection that is ready for use; what fails leaves nothing open.
     *
     * @param broken to be called when it will be of no use any more
     */
    CompletionStage<? extends C> make(Runnable broken);
  }

  /** What a link's owner wants to hear. Called without a lock, on any thread. */
  interface Events<C> {

    /** A connection is there; again: in the place of an earlier one. */
    void made(C connection, boolean again);

    /** An attempt to make one failed. */
    void failed(RuntimeException why);
  }

  private final Mode mode;
  private final Wiring wiring;
  private final Maker<C> maker;
  private final Consumer<? super C> closer;
  private final Events<? super C> events;

  /** Guards what follows; never held while anything outside is called. */
  private final Object lock = new Object();

  private volatile @Nullable Live<C> live;
  private @Nullable CompletableFuture<Live<C>> making;
  private RuntimeException reason =
      new RedisConnectionFailure(FailureKind.UNREACHABLE, "not connected yet", null);
  private boolean begun;
  private boolean before;
  private boolean closed;

  /**
   * A link on which nothing has begun. Its maker is called in the background, and nobody waits for
   * longer than a command timeout for a connection that another one makes.
   */
  Link(
      Mode mode,
      Wiring wiring,
      Maker<C> maker,
      Consumer<? super C> closer,
      Events<? super C> events) {
    this.mode = mode;
    this.wiring = wiring;
    this.maker = maker;
    this.closer = closer;
    this.events = events;
  }

  /** A connection, and how many replies came over it. */
  static final class Live<C> {
    private final AtomicLong replies = new AtomicLong();
    private volatile @Nullable C connection;
    private volatile boolean broken;

    private Live() {}

    C connection() {
      C made = connection;
      if (made == null) {
        throw new IllegalStateException("asked before it was made");
      }
      return made;
    }

    AtomicLong replies() {
      return replies;
    }
  }

  /** Begins to make connections, if that was not done; on demand there is nothing to begin. */
  void begin() {
    CompletableFuture<Live<C>> first;
    synchronized (lock) {
      if (mode == Mode.ON_DEMAND || begun || closed) {
        return;
      }
      begun = true;
      first = new CompletableFuture<>();
      making = first;
    }
    attempt(first, FIRST_DELAY);
  }

  /**
   * The connection as it is now, or why there is none. Only the first one is waited for, and not
   * for longer than anybody's patience: whoever fails here has sent nothing, and will not.
   */
  CompletionStage<Live<C>> current() {
    begin();
    CompletableFuture<Live<C>> mine;
    CompletableFuture<Live<C>> others;
    synchronized (lock) {
      Live<C> now = live;
      if (now != null) {
        return CompletableFuture.completedStage(now);
      }
      others = making;
      if (others == null && (closed || mode == Mode.KEPT)) {
        return CompletableFuture.failedStage(reason);
      }
      mine = new CompletableFuture<>();
      if (others == null) {
        making = mine;
      }
    }
    if (others != null && mode == Mode.KEPT) {
      return wiring.within(wiring.commandTimeout(), others, Stages::notConnectedInTime);
    }
    if (others == null) {
      attempt(mine, FIRST_DELAY);
    }
    return Stages.await(others == null ? mine : others, wiring.commandTimeout().toNanos());
  }

  /** Whether there was ever a connection: if so, it is made anew by itself. */
  boolean wasMade() {
    synchronized (lock) {
      return before;
    }
  }

  /** The connection as it is now, if there is one. */
  @Nullable Live<C> live() {
    return live;
  }

  /** The connection is of no use any more: another is made, and this one closed. */
  void replace(Live<C> useless, RuntimeException why) {
    C connection;
    synchronized (lock) {
      useless.broken = true;
      connection = useless.connection;
      if (live != useless || connection == null) {
        return; // replaced already, or not in use yet
      }
      live = null;
      reason = why;
    }
    closer.accept(connection);
    if (mode == Mode.KEPT) {
      again(FIRST_DELAY);
    }
  }

  /** Closes the connection and makes no more. Does not wait. */
  void close() {
    Live<C> last;
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      reason = RedisConnectionFailure.closed();
      last = live;
      live = null;
    }
    if (last != null) {
      closer.accept(last.connection());
    }
  }

  boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private void again(Duration delay) {
    // Half of it random: clients that lost one server do not come back at the same moment.
    long nanos = delay.toNanos() / 2;
    wiring
        .context()
        .scheduler()
        .schedule(
            () -> attempt(new CompletableFuture<>(), delay),
            nanos + wiring.context().random().nextLong(nanos));
  }

  private void attempt(CompletableFuture<Live<C>> result, Duration delay) {
    try {
      wiring.background().execute(() -> make(result, delay));
    } catch (RejectedExecutionException e) { // or the client is being closed
      ended(result, new Live<>(), null, RedisConnectionFailure.overloaded(), delay);
    }
  }

  private void make(CompletableFuture<Live<C>> result, Duration delay) {
    Live<C> fresh = new Live<>();
    CompletionStage<? extends C> made;
    try {
      made =
          isClosed()
              ? CompletableFuture.failedStage(RedisConnectionFailure.closed())
              : maker.make(() -> replace(fresh, lost()));
    } catch (RuntimeException e) { // a driver that breaks its contract
      made = CompletableFuture.failedStage(e);
    }
    made.whenComplete((connection, error) -> ended(result, fresh, connection, error, delay));
  }

  private void ended(
      CompletableFuture<Live<C>> result,
      Live<C> fresh,
      @Nullable C connection,
      @Nullable Throwable error,
      Duration delay) {
    RuntimeException why = error == null ? lost() : unsent(Stages.reason(error));
    boolean installed;
    boolean again;
    boolean over;
    synchronized (lock) {
      making = null;
      again = before;
      over = closed;
      installed = connection != null && !over && !fresh.broken;
      if (installed) {
        fresh.connection = connection;
        live = fresh;
        before = true;
      } else if (!over) {
        reason = why;
      }
    }
    if (installed) {
      events.made(fresh.connection(), again);
      result.complete(fresh);
      return;
    }
    if (connection != null) {
      closer.accept(connection);
    }
    result.completeExceptionally(over ? RedisConnectionFailure.closed() : why);
    if (!over) {
      events.failed(why);
      if (mode == Mode.KEPT) {
        Duration longer = delay.multipliedBy(2);
        again(longer.compareTo(LONGEST_DELAY) < 0 ? longer : LONGEST_DELAY);
      }
    }
  }

  /** Whoever wanted the connection has sent nothing, however far the making of it got. */
  private static RuntimeException unsent(RuntimeException why) {
    return why instanceof RedisConnectionFailure failure && failure.kind().isAmbiguous()
        ? RedisConnectionFailure.unreachable("cannot connect: " + failure.getMessage(), failure)
        : why;
  }

  private static RedisConnectionFailure lost() {
    return new RedisConnectionFailure(
        FailureKind.UNREACHABLE, "the connection was lost and is being made anew", null);
  }
}
