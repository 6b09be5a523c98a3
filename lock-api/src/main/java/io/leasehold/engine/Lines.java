package io.leasehold.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The lines of a client. A line exists only while somebody waits in it. */
final class Lines {
  private final Engine engine;
  private final ConcurrentMap<String, Line> byName = new ConcurrentHashMap<>();

  Lines(Engine engine) {
    this.engine = engine;
  }

  /** Adds a place to the line for a lock. */
  Line join(String fullName, Place place) {
    while (true) {
      Line line = byName.computeIfAbsent(fullName, name -> new Line(engine, name));
      if (line.join(place)) {
        return line;
      }
      byName.remove(fullName, line);
    }
  }

  void leave(String fullName, Line line, Place place) {
    if (line.leave(place)) {
      byName.remove(fullName, line);
    }
  }

  /** A lease of this client has ended: its lock may be free. */
  void changed(String fullName) {
    Line line = byName.get(fullName);
    if (line != null) {
      line.wake();
    }
  }

  /** Every waiting call shall look: the client is closing. */
  void lookAll() {
    byName.values().forEach(Line::lookAll);
  }
}
