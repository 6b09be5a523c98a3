package io.leasehold.tck.toy;

import io.leasehold.spi.ReadWriteLocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A lock of the toy that several can hold: a read-write lock, or a semaphore, whose holders are
 * readers. Used inside the server's monitor; whoever is to be woken is, outside.
 */
final class ToyCrowd {
  private static final long MARK_MICROS = ReadWriteLocks.WRITER_WAITS_MILLIS * 1_000;
  private static final long TURN_MICROS = 1_000_000;

  /** Which part of a lock somebody wants. */
  enum Side {
    READERS,
    WRITERS,
    PERMITS
  }

  private final String name;
  private final CrowdRules rules;
  private final Map<String, Long> readers = new LinkedHashMap<>();
  private final Map<String, Long> writers = new LinkedHashMap<>();
  private final Map<Object, Long> marks = new HashMap<>();
  private final Set<String> released = new HashSet<>();
  private final Set<Object> waiting = new HashSet<>();
  private final Set<Object> invited = new HashSet<>();
  private final Map<Object, List<Runnable>> ears = new HashMap<>();
  private long turnEnd;

  ToyCrowd(String name, CrowdRules rules) {
    this.name = name;
    this.rules = rules;
  }

  /** Those who hold a side, and until when. */
  Map<String, Long> holders(Side side, long now) {
    Map<String, Long> holders = side == Side.WRITERS ? writers : readers;
    if (rules.holdersEnd()) {
      holders.values().removeIf(end -> end <= now);
    }
    return holders;
  }

  private static long last(Map<String, Long> holders, long now) {
    return holders.values().stream().mapToLong(end -> end).max().orElse(now);
  }

  /** Until when somebody is kept out; now, or earlier, when it may come. */
  long keptOutUntil(Side side, String owner, Object client, int permits, long now) {
    if (holders(side, now).containsKey(owner)) {
      return now;
    }
    long writing = last(holders(Side.WRITERS, now), now);
    long reading = last(holders(Side.READERS, now), now);
    return switch (side) {
      case READERS -> {
        boolean free = writers.isEmpty() || !rules.readersMindWriters();
        boolean comes = invited.contains(client) && now < turnEnd;
        long mark = comes ? now : marks.values().stream().mapToLong(m -> m).max().orElse(now);
        yield free ? mark : Math.max(writing, now + 1);
      }
      case WRITERS -> {
        long turn = invited.isEmpty() ? now : turnEnd;
        long held = Math.max(writing, rules.writersMindReaders() ? reading : now);
        yield Math.min(Math.max(held, turn), now + MARK_MICROS / 2);
      }
      case PERMITS -> {
        int room = rules.permits(name, permits);
        if (!rules.keepsWhatIsHeld() && readers.size() > room) {
          readers.keySet().removeAll(List.copyOf(readers.keySet()).subList(room, readers.size()));
        }
        yield readers.size() < room
            ? now
            : Math.max(now + 1, readers.values().stream().mapToLong(e -> e).min().orElse(now));
      }
    };
  }

  void waits(Side side, Object client, long now) {
    if (side != Side.WRITERS) {
      waiting.add(client);
    } else if (rules.writersAreMarked()) {
      marks.put(client, rules.marksEnd() ? now + MARK_MICROS : Long.MAX_VALUE / 2);
    }
  }

  void comes(Side side, String owner, Object client, long end) {
    waiting.remove(client);
    (side == Side.WRITERS ? writers : readers).put(owner, end);
    invited.remove(client);
    if (side == Side.WRITERS) {
      marks.remove(client);
      invited.clear();
    }
  }

  /** Ends a holder; false when it held nothing. */
  boolean ends(Side side, String owner, long now) {
    Map<String, Long> holders = holders(side, now);
    if (holders.remove(owner) == null) {
      if (!rules.releasesOnce() && released.contains(owner) && !holders.isEmpty()) {
        holders.remove(holders.keySet().iterator().next());
      }
      return false;
    }
    released.add(owner);
    if (side == Side.WRITERS) {
      readersTurn(now);
    }
    return true;
  }

  private void readersTurn(long now) {
    if (rules.readersHaveATurn()) {
      invited.addAll(waiting);
      invited.retainAll(ears.keySet());
      turnEnd = now + TURN_MICROS;
    }
  }

  /** Pushes out the end of a holder; false when it held nothing. */
  boolean extend(Side side, String owner, long end, long now) {
    Map<String, Long> holders = holders(side, now);
    if (!holders.containsKey(owner)) {
      return false;
    }
    holders.replaceAll(
        (each, old) -> each.equals(owner) || !rules.extendsOne() ? Long.valueOf(end) : old);
    return true;
  }

  /** A writer becomes a reader; false when it was not the writer. */
  boolean downgrade(String from, String to, long end, long now) {
    boolean repeated = holders(Side.READERS, now).containsKey(to);
    boolean wrote = holders(Side.WRITERS, now).remove(from) != null;
    if (!wrote && !repeated && rules.downgradesWritersOnly()) {
      return false;
    }
    readers.put(to, end);
    readersTurn(now);
    return true;
  }

  void hear(Object client, Runnable wake) {
    ears.computeIfAbsent(client, c -> new ArrayList<>()).add(wake);
  }

  /** A client listens no more, or is gone: then it waits for nothing. */
  void forget(Object client, Runnable wake) {
    List<Runnable> own = ears.get(client);
    if (own == null) {
      return;
    }
    own.remove(wake);
    if (own.isEmpty()) {
      ears.remove(client);
      marks.remove(client);
      waiting.remove(client);
      invited.remove(client);
    }
  }

  int waiters(Side side) {
    return side == Side.WRITERS ? marks.size() : waiting.size();
  }

  /** Everybody who waits: it is a toy. */
  List<Runnable> wakeUps() {
    return rules.wakes() ? ears.values().stream().flatMap(List::stream).toList() : List.of();
  }
}
