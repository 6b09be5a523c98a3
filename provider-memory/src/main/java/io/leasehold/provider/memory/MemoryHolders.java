package io.leasehold.provider.memory;

import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Those who hold one side of a lock at the same time, each until an end of its own. Guarded by the
 * monitor of its {@link MemorySpace}.
 */
final class MemoryHolders {

  /** One who holds it. */
  record Held(String owner, long endMicros, ClientInfo client) {

    Inspection.Holder shown(long now) {
      return new Inspection.Holder(
          owner, Math.max(0, (endMicros - now) / 1_000), Optional.of(client));
    }
  }

  private final Map<String, Held> held = new LinkedHashMap<>();
  private final Map<String, Long> forced = new LinkedHashMap<>();

  /** Those who hold it now; in the order in which they came. */
  Collection<Held> live(long now) {
    held.values().removeIf(each -> each.endMicros <= now);
    return held.values();
  }

  boolean has(String owner, long now) {
    live(now);
    return held.containsKey(owner);
  }

  /** Holds it for an owner, or for longer when it holds it already. */
  void put(Held holder) {
    held.put(holder.owner, holder);
  }

  /** Ends one alone; false when it did not hold it. */
  boolean remove(String owner, long now) {
    live(now);
    return held.remove(owner) != null;
  }

  /** Pushes out one's end alone; false when it did not hold it. */
  boolean extend(String owner, long endMicros, long now) {
    live(now);
    return held.computeIfPresent(owner, (o, old) -> new Held(o, endMicros, old.client)) != null;
  }

  /** Ends all, and remembers for each that it was forced; false when there was none. */
  boolean force(long now) {
    boolean any = !live(now).isEmpty();
    held.values().forEach(each -> forced.put(each.owner, each.endMicros));
    held.clear();
    return any;
  }

  /** Why somebody does not hold it. */
  NotHeld notHeld(String owner, long now) {
    return new NotHeld(
        forced.containsKey(owner) ? NotHeld.Cause.FORCED : NotHeld.Cause.ABSENT, now);
  }

  List<Inspection.Holder> shown(long now) {
    return live(now).stream().map(each -> each.shown(now)).toList();
  }

  /** Whether there is nothing left to be remembered. */
  boolean isSpent(long now) {
    forced.values().removeIf(end -> end <= now);
    return forced.isEmpty() && live(now).isEmpty();
  }
}
