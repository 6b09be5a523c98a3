package io.leasehold.engine;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Released;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this client that wait for one lock, first come, first served. Only the one in front
 * talks to the server; what it learns (busy until when, unreachable) serves the next in front too.
 * The line as a whole is what the server wakes. A lease of this client that ends is handed over to
 * the first who waits, within bounds: others must not starve. Guarded by its monitor; nothing is
 * sent under it.
 */
final class Line {

  /** How a lease of this client that ends passes the lock on. */
  enum Passing {
    /** To whoever is first: this client asks again at once. */
    RELEASE(0, 0),
    /** As that, but whoever was woken comes first: it may be of another kind, and outnumbered. */
    LET_PASS(5_000_000L, 10_000_000L),
    /** To the next call of this client. */
    HAND_OVER(0, 0),
    /** To another client, which waits; this one stands in line behind it. */
    YIELD(20_000_000L, 30_000_000L),
    /** To clients that nobody knows to wait, if there are any: they may poll. */
    PAUSE(1_000_000L, 2_000_000L),
    /** To whoever has its turn in the fair line, perhaps a call of this client. */
    TURN(FairLine.TURN_MILLIS * 1_000_000L, FairLine.TURN_MILLIS * 1_050_000L);

    /** How long this client then waits to be woken before it asks by itself. */
    private final long leastNanos;

    private final long mostNanos;

    Passing(long leastNanos, long mostNanos) {
      this.leastNanos = leastNanos;
      this.mostNanos = mostNanos;
    }
  }

  /** How long this client keeps a lock among its own calls while others wait. */
  private static final long KEEP_NANOS = 5_000_000L;

  /** The same while it does not know of others. */
  private static final long KEEP_ALONE_NANOS = 250_000_000L;

  private static final System.Logger LOG = System.getLogger("io.leasehold");
  private static final GrantReply HELD_HERE = new Busy(Busy.UNKNOWN, 0);

  private final Engine engine;
  private final EngineLock lock;
  private final Facet facet;
  private final Places places = new Places();
  private boolean ended;
  private boolean watchAsked;
  private @Nullable Watch watch;
  private boolean heldHere;
  private long nextTryNanos;
  private long wakeUps;
  private long troubleSince = Long.MAX_VALUE;
  private @Nullable GrantReply lastReply;

  /**
   * @param lock one of those that have this line
   */
  Line(EngineLock lock) {
    this.engine = lock.engine();
    this.lock = lock;
    this.facet = lock.facet();
    this.nextTryNanos = engine.time.monotonicNanos();
  }

  /** Adds a place at the end; false when this line has ended and a new one is needed. */
  synchronized boolean join(Place place) {
    if (ended) {
      return false;
    }
    places.addLast(place);
    return true;
  }

  /** Takes a place out, wherever it stands. Returns true when the line has ended with it. */
  boolean leave(Place place) {
    Place next;
    Watch over = null;
    boolean last;
    synchronized (this) {
      boolean wasFront = places.first() == place;
      places.remove(place);
      last = places.isEmpty();
      if (last) {
        ended = true;
        over = watch;
        watch = null;
      }
      // While the lock is held here nobody asks: its end is told to whoever is in front then.
      next = wasFront && !heldHere ? places.first() : null;
    }
    if (over != null) {
      end(over);
    }
    if (next != null) {
      // Not from here: if the next has run out of time too, it leaves, and so on down the line.
      engine.scheduler.schedule(next::look, 0);
    }
    return last;
  }

  /** A watch that breaks its contract must not cost the lease of the one who leaves. */
  private static void end(Watch watch) {
    try {
      watch.close();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-216 a watch threw when it was closed", e);
    }
  }

  synchronized boolean isFront(Place place) {
    return places.first() == place;
  }

  /**
   * When the place may ask the server; {@link Long#MAX_VALUE} while it is not in front, or a lease
   * of this client has the lock.
   */
  synchronized long turnNanos(Place place) {
    return !heldHere && places.first() == place ? nextTryNanos : Long.MAX_VALUE;
  }

  /**
   * How a lease of this client shall pass the lock on.
   *
   * @param keptNanos since when this client has had the lock
   */
  synchronized Passing passing(boolean fair, boolean othersWait, long keptNanos) {
    if (fair) {
      return Passing.TURN;
    }
    long kept = engine.time.monotonicNanos() - keptNanos;
    if (!facet.handsOver) {
      return facet.kind == Facet.Kind.PLAIN ? Passing.RELEASE : Passing.LET_PASS;
    }
    if (kept < KEEP_NANOS) {
      return Passing.HAND_OVER;
    }
    if (othersWait && watch != null) {
      return Passing.YIELD;
    }
    return othersWait || kept >= KEEP_ALONE_NANOS ? Passing.PAUSE : Passing.HAND_OVER;
  }

  /**
   * Promises the lock to the first call that waits; null when the one in front asks, stands in a
   * fair line, or there is none.
   */
  synchronized @Nullable Place promise() {
    for (Place place = places.first(); place != null; place = place.behind) {
      if (place.call.isFair()) {
        return null;
      }
      if (place.move(Place.State.WAITING, Place.State.PROMISED)) {
        return place;
      }
      if (place.state() == Place.State.ASKING) {
        return null;
      }
    }
    return null;
  }

  /** To be noted before an attempt, and given to {@link #refused} after it. */
  synchronized long wakeUps() {
    return wakeUps;
  }

  /** How the place in front asks: as a waiter, once wake-ups arrive. */
  synchronized Queueing queueing() {
    return watch == null ? Queueing.NONE : Queueing.WAKE;
  }

  /** Whether a release elsewhere will wake this line. */
  synchronized boolean isWatching() {
    return watch != null;
  }

  /**
   * A place was refused, which says when the one in front asks again; others of a fair line ask
   * when they come, and are told no more than that. A wake-up since it asked means: at once.
   */
  synchronized void refused(Place place, Verdict.Retry refusal, long wakeUpsBefore) {
    if (places.first() != place) {
      return;
    }
    GrantReply reply = refusal.because();
    lastReply = reply;
    if (reply instanceof Busy) {
      troubleSince = Long.MAX_VALUE;
    } else if (troubleSince == Long.MAX_VALUE && !(reply instanceof Expired)) {
      troubleSince = engine.time.monotonicNanos();
    }
    nextTryNanos = wakeUps == wakeUpsBefore ? refusal.atNanos() : engine.time.monotonicNanos();
  }

  /**
   * A call in this line got the lock, so the next need not ask before this client releases it; or,
   * if they can hold it together, the next asks now.
   */
  void won(HeldLease lease) {
    synchronized (this) {
      troubleSince = Long.MAX_VALUE;
      if (facet.kind.isShared()) {
        lastReply = null;
        nextTryNanos = engine.time.monotonicNanos();
        return;
      }
      lastReply = HELD_HERE;
      heldHere = true;
    }
    if (!lease.isRunning()) {
      changed(); // it ended before we said that it began
    }
  }

  /** Since when nobody in front has got a proper answer; {@link Long#MAX_VALUE} while they do. */
  synchronized long troubleSince() {
    return troubleSince;
  }

  /** What the last one in front was told; null while nobody has asked. */
  synchronized @Nullable GrantReply lastReply() {
    return lastReply;
  }

  /** The lock may be free: the place in front shall ask now. */
  void wake() {
    askAt(engine.time.monotonicNanos(), true);
  }

  /** A lease of this client has ended: the place in front shall ask now. */
  void changed() {
    noLongerHeld();
    wake();
  }

  /**
   * A lease of this client has ended. Others come first, if that is how it passed the lock on, but
   * not for ever; and not if this line has been woken since the lock was let go.
   */
  void passedOn(Passing how, Released released, long wakeUpsBefore) {
    boolean waits = how == Passing.PAUSE || released.wokeAnother();
    boolean woken = wakeUps() != wakeUpsBefore;
    long pause = waits && !woken ? engine.jitter(how.leastNanos, how.mostNanos) : 0;
    noLongerHeld();
    askAt(engine.time.monotonicNanos() + pause, how == Passing.RELEASE);
  }

  /** This client does not have the lock any more, or what it was handed is of no use. */
  synchronized void noLongerHeld() {
    heldHere = false;
  }

  private void askAt(long nanos, boolean released) {
    Place front;
    synchronized (this) {
      wakeUps++;
      nextTryNanos = nanos;
      front = heldHere ? null : places.first();
    }
    if (front != null) {
      if (released) {
        front.woken();
      }
      front.look();
    }
  }

  /** Asks the node for wake-ups, once for the life of the line. */
  void watchOnce() {
    synchronized (this) {
      if (watchAsked || ended || !facet.wakeUps) {
        return;
      }
      watchAsked = true;
    }
    Safely.call(() -> facet.node.watch(lock.fullName(), this::wake), failed -> (WatchReply) failed)
        .whenComplete((reply, impossible) -> watching(reply));
  }

  private void watching(WatchReply reply) {
    if (reply instanceof Watching watching) {
      boolean late;
      synchronized (this) {
        late = ended;
        if (!late) {
          watch = watching.watch();
        }
      }
      if (late) {
        end(watching.watch());
      } else {
        // Ask again, now as a waiter: what was released meanwhile woke nobody.
        askAt(engine.time.monotonicNanos(), false);
      }
    } else if (reply instanceof Failed) {
      synchronized (this) {
        watchAsked = false; // the next refusal asks for it again; until then the line polls
      }
    }
  }

  /** Every place shall look: the client is closing. */
  void lookAll() {
    List<Place> all;
    synchronized (this) {
      all = places.all();
    }
    all.forEach(Place::look);
  }
}
