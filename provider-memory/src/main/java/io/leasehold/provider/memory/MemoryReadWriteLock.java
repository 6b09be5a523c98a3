package io.leasehold.provider.memory;

import io.leasehold.spi.ReadWriteLocks;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A read-write lock: many readers, or one writer.
 *
 * <p>A writer that waits keeps new readers out, until its mark ends. When a writer has released,
 * the readers who waited have their turn: they come in whatever writer waits, and no writer comes
 * before each of their clients came once, or the turn is over.
 */
final class MemoryReadWriteLock {
  private static final long MARK_MICROS = ReadWriteLocks.WRITER_WAITS_MILLIS * 1_000;

  /** How long readers that were called may take to come. */
  private static final long TURN_MICROS = 1_000_000;

  final MemorySide readers = new Readers();
  final MemorySide writers = new Writers();

  private final String name;

  /** Those who wait to write, and until when each keeps readers out. */
  private final Map<MemoryWatchers, Long> marks = new LinkedHashMap<>();

  private final Set<MemoryWatchers> waitingReaders = new LinkedHashSet<>();

  /** Whose readers have their turn, and those of them who have not come yet. */
  private final Set<MemoryWatchers> letIn = new LinkedHashSet<>();

  private final Set<MemoryWatchers> expected = new LinkedHashSet<>();
  private long turnEndMicros;

  MemoryReadWriteLock(String name) {
    this.name = name;
  }

  /** The downgrade: a writer becomes a reader. False when it was not the writer. */
  boolean downgrade(String from, MemoryHolders.Held to, long now) {
    boolean replayed = readers.holders.has(to.owner(), now);
    if (!writers.holders.remove(from, now) && !replayed) {
      return false;
    }
    readers.holders.put(to);
    return true;
  }

  private long markEnd() {
    return marks.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private boolean isTurnOfReaders(long now) {
    return now < turnEndMicros && !expected.isEmpty();
  }

  private static long lastEnd(MemoryHolders holders, long now) {
    return holders.live(now).stream().mapToLong(MemoryHolders.Held::endMicros).max().orElse(now);
  }

  /** Whoever may come next when the lock, or a place in it, has become free. */
  private List<MemorySide.Called> next(long now) {
    if (!writers.holders.live(now).isEmpty() || isTurnOfReaders(now)) {
      return List.of();
    }
    if (readers.holders.live(now).isEmpty()) {
      for (Map.Entry<MemoryWatchers, Long> each : marks.entrySet()) {
        if (each.getKey().hears(name)) {
          MemoryWatchers first = each.getKey();
          marks.put(first, marks.remove(first)); // if it does not come, another is called next
          return List.of(new MemorySide.Called(first, name));
        }
      }
    }
    return markEnd() > now ? List.of() : callReaders();
  }

  private List<MemorySide.Called> callReaders() {
    List<MemorySide.Called> all =
        waitingReaders.stream()
            .filter(client -> client.hears(name))
            .map(client -> new MemorySide.Called(client, name))
            .toList();
    waitingReaders.clear();
    return all;
  }

  private final class Readers extends MemorySide {

    @Override
    long keptOut(Asker asker, long now) {
      if (holders.has(asker.owner(), now)) {
        return 0;
      }
      if (!writers.holders.live(now).isEmpty()) {
        return lastEnd(writers.holders, now) - now;
      }
      boolean invited = now < turnEndMicros && letIn.contains(asker.client());
      return invited ? 0 : Math.max(0, markEnd() - now);
    }

    @Override
    void enter(Asker asker, long now) {
      waitingReaders.add(asker.client());
    }

    @Override
    void came(Asker asker) {
      waitingReaders.remove(asker.client());
      expected.remove(asker.client());
    }

    @Override
    List<Called> left(MemoryWatchers client, long now) {
      waitingReaders.remove(client);
      letIn.remove(client);
      expected.remove(client);
      return next(now);
    }

    @Override
    List<Called> ended(long now) {
      return next(now);
    }

    @Override
    int waiters() {
      return waitingReaders.size();
    }
  }

  private final class Writers extends MemorySide {

    @Override
    long keptOut(Asker asker, long now) {
      if (holders.has(asker.owner(), now)) {
        return 0;
      }
      long end = Math.max(lastEnd(holders, now), lastEnd(readers.holders, now));
      if (end == now && isTurnOfReaders(now)) {
        end = turnEndMicros;
      }
      return Math.min(end - now, MARK_MICROS / 2); // it asks again before its mark ends
    }

    @Override
    void enter(Asker asker, long now) {
      marks.put(asker.client(), now + MARK_MICROS);
    }

    @Override
    void came(Asker asker) {
      marks.remove(asker.client());
      letIn.clear();
      expected.clear();
    }

    @Override
    List<Called> left(MemoryWatchers client, long now) {
      marks.remove(client);
      return next(now);
    }

    /** After a writer come the readers who waited. */
    @Override
    List<Called> ended(long now) {
      List<Called> called = callReaders();
      if (called.isEmpty()) {
        return next(now);
      }
      called.forEach(each -> letIn.add(each.client()));
      expected.addAll(letIn);
      turnEndMicros = now + TURN_MICROS;
      return called;
    }

    @Override
    int waiters() {
      return marks.size();
    }
  }
}
