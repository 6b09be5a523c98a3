package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemoryLine.Call;
import io.leasehold.provider.memory.MemoryLine.Member;
import io.leasehold.spi.GrantRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lines of all locks. A line exists only while somebody stands in it. Guarded by the monitor of
 * its {@link MemorySpace}.
 */
final class MemoryLines {
  private final Map<String, MemoryLine> lines = new HashMap<>();

  @Nullable MemoryLine find(String lock) {
    return lines.get(lock);
  }

  void enter(String lock, Member member) {
    lines.computeIfAbsent(lock, n -> new MemoryLine()).enter(member);
  }

  int size(String lock) {
    MemoryLine line = lines.get(lock);
    return line == null ? 0 : line.size();
  }

  /** How many wait for a lock that this client has just got. */
  int othersThan(String lock, MemoryNode client) {
    MemoryLine line = lines.get(lock);
    if (line == null) {
      return 0;
    }
    line.leave(new Member(client, GrantRequest.NO_PLACE));
    return tidied(lock, line).size();
  }

  /** Whatever is done to the line of a lock, if there is one; and whom that chooses. */
  @Nullable Call change(String lock, Function<MemoryLine, @Nullable Call> change) {
    MemoryLine line = lines.get(lock);
    if (line == null) {
      return null;
    }
    Call call = change.apply(line);
    tidied(lock, line);
    return call;
  }

  private MemoryLine tidied(String lock, MemoryLine line) {
    if (line.isEmpty()) {
      lines.remove(lock, line);
    }
    return line;
  }

  /**
   * A client is gone, with all of its places. Those who come next, by lock.
   *
   * @param watched the locks for which it may have been woken
   * @param free whether a lock is free
   */
  Map<String, Call> drop(MemoryNode client, Set<String> watched, Predicate<String> free, long now) {
    Map<String, Call> calls = new HashMap<>();
    for (String lock : List.copyOf(lines.keySet())) {
      Call call =
          change(
              lock,
              line -> {
                boolean concerned = line.drop(client) || watched.contains(lock);
                return concerned && !line.hasTurn() && free.test(lock)
                    ? line.choose(lock, now, client)
                    : null;
              });
      if (call != null) {
        calls.put(lock, call);
      }
    }
    return calls;
  }
}
