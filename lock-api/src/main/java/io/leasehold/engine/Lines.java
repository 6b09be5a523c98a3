package io.leasehold.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The lines of a client. A line exists only while somebody waits in it. */
final class Lines {
  private final ConcurrentMap<String, Line> byKey = new ConcurrentHashMap<>();

  /** The line for a lock; null when nobody waits. */
  @Nullable Line find(EngineLock lock) {
    return byKey.get(lock.key());
  }

  /** Adds a place to the line for a lock. */
  Line join(EngineLock lock, Place place) {
    String key = lock.key();
    while (true) {
      Line line = byKey.get(key);
      if (line == null) { // not computeIfAbsent, which makes garbage: most lines begin and end here
        line = new Line(lock);
        Line other = byKey.putIfAbsent(key, line);
        line = other != null ? other : line;
      }
      if (line.join(place)) {
        return line;
      }
      byKey.remove(key, line);
    }
  }

  void leave(EngineLock lock, Line line, Place place) {
    if (line.leave(place)) {
      byKey.remove(lock.key(), line);
    }
  }

  /** A lease of this client has ended: its lock may be free. */
  void changed(EngineLock lock) {
    Line line = find(lock);
    if (line != null) {
      line.changed();
    }
  }

  /** The lock may be free: the call in front asks, unless a lease of this client has the lock. */
  void askAgain(EngineLock lock) {
    Line line = find(lock);
    if (line != null) {
      line.wake();
    }
  }

  /** Every waiting call shall look: the client is closing. */
  void lookAll() {
    byKey.values().forEach(Line::lookAll);
  }
}
