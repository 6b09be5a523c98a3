package io.leasehold.engine;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this client that wait for one lock, first come, first served. Only the one in front
 * talks to the server; what it learns (busy until when, unreachable) serves the next in front too.
 * The line as a whole is what the server wakes. Guarded by its monitor; nothing is sent under it.
 */
final class Line {
  private static final System.Logger LOG = System.getLogger("io.leasehold");
  private static final GrantReply HELD_HERE = new Busy(Busy.UNKNOWN, 0);

  private final Engine engine;
  private final String fullName;
  private final Deque<Place> places = new ArrayDeque<>();
  private boolean ended;
  private boolean watchAsked;
  private @Nullable Watch watch;
  private long nextTryNanos;
  private long wakeUps;
  private long troubleSince = Long.MAX_VALUE;
  private @Nullable GrantReply lastReply;

  Line(Engine engine, String fullName) {
    this.engine = engine;
    this.fullName = fullName;
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
      boolean wasFront = places.peekFirst() == place;
      places.remove(place);
      last = places.isEmpty();
      if (last) {
        ended = true;
        over = watch;
        watch = null;
      }
      next = wasFront ? places.peekFirst() : null;
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
    return places.peekFirst() == place;
  }

  /** When the place may ask the server; {@link Long#MAX_VALUE} while it is not in front. */
  synchronized long turnNanos(Place place) {
    return places.peekFirst() == place ? nextTryNanos : Long.MAX_VALUE;
  }

  /** To be noted before an attempt, and given to {@link #retryAt} after it. */
  synchronized long wakeUps() {
    return wakeUps;
  }

  /** How the place in front asks: as a waiter, once wake-ups arrive. */
  synchronized Queueing queueing() {
    return watch == null ? Queueing.NONE : engine.settings.fair() ? Queueing.FAIR : Queueing.WAKE;
  }

  /** Whether a release elsewhere will wake this line. */
  synchronized boolean isWatching() {
    return watch != null;
  }

  /** The place in front was refused. A wake-up since it asked means: ask again at once. */
  synchronized void retryAt(long nanos, long wakeUpsBefore, GrantReply reply) {
    lastReply = reply;
    if (reply instanceof Busy) {
      troubleSince = Long.MAX_VALUE;
    } else if (troubleSince == Long.MAX_VALUE && !(reply instanceof Expired)) {
      troubleSince = engine.time.monotonicNanos();
    }
    nextTryNanos = wakeUps == wakeUpsBefore ? nanos : engine.time.monotonicNanos();
  }

  /** The place in front got the lock, so the next need not ask before this client releases it. */
  synchronized void won(Terms terms, long wakeUpsBefore) {
    lastReply = HELD_HERE;
    troubleSince = Long.MAX_VALUE;
    if (wakeUps == wakeUpsBefore) {
      nextTryNanos = engine.time.monotonicNanos() + terms.leaseMillis() * 1_000_000L;
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
    askNow(true);
  }

  private void askNow(boolean released) {
    Place front;
    synchronized (this) {
      wakeUps++;
      nextTryNanos = engine.time.monotonicNanos();
      front = places.peekFirst();
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
      if (watchAsked || ended || !engine.wakeUps) {
        return;
      }
      watchAsked = true;
    }
    Safely.call(() -> engine.node.watch(fullName, this::wake), failed -> (WatchReply) failed)
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
        askNow(false); // ask again, now as a waiter: what was released meanwhile woke nobody
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
      all = new ArrayList<>(places);
    }
    all.forEach(Place::look);
  }
}
