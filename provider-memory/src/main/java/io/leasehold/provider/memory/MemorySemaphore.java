package io.leasehold.provider.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A semaphore: as many may hold it as the one who asks says. */
final class MemorySemaphore extends MemorySide {
  private final String name;
  private final Map<MemoryWatchers, Integer> waiting = new LinkedHashMap<>();

  MemorySemaphore(String name) {
    this.name = name;
  }

  /** Until so many have ended that there is room by the asker's number. */
  @Override
  long keptOut(Asker asker, long now) {
    if (holders.has(asker.owner(), now)) {
      return 0;
    }
    long[] ends =
        holders.live(now).stream().mapToLong(MemoryHolders.Held::endMicros).sorted().toArray();
    return ends.length < asker.permits() ? 0 : ends[ends.length - asker.permits()] - now;
  }

  @Override
  void enter(Asker asker, long now) {
    waiting.put(asker.client(), asker.permits());
  }

  @Override
  void came(Asker asker) {
    waiting.remove(asker.client());
  }

  @Override
  List<Called> left(MemoryWatchers client, long now) {
    waiting.remove(client);
    return ended(now);
  }

  /** The first who hears it, and for whom there is room. */
  @Override
  List<Called> ended(long now) {
    int held = holders.live(now).size();
    for (Map.Entry<MemoryWatchers, Integer> each : waiting.entrySet()) {
      if (held < each.getValue() && each.getKey().hears(name)) {
        waiting.remove(each.getKey());
        return List.of(new Called(each.getKey(), name));
      }
    }
    return List.of();
  }

  @Override
  int waiters() {
    return waiting.size();
  }
}
