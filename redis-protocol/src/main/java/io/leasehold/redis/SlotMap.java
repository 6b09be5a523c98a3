package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which primary serves which slot of a cluster, as one of its nodes told it. Immutable. */
final class SlotMap {
  private final @Nullable Endpoint[] primaries;

  private SlotMap(@Nullable Endpoint[] primaries) {
    this.primaries = primaries;
  }

  /**
   * Reads the reply to CLUSTER SLOTS.
   *
   * @param asked who answered: a node that does not know its own host names none
   */
  static SlotMap read(Endpoint asked, @Nullable Object reply) {
    if (reply instanceof RedisErrorReply error) {
      throw error;
    }
    if (!(reply instanceof List<?> ranges)) {
      throw unreadable();
    }
    @Nullable Endpoint[] primaries = new @Nullable Endpoint[ClusterSlots.COUNT];
    for (Object range : ranges) {
      if (!(range instanceof List<?> parts
          && parts.size() >= 3
          && parts.get(0) instanceof Long from
          && parts.get(1) instanceof Long to
          && parts.get(2) instanceof List<?> primary
          && primary.size() >= 2
          && primary.get(1) instanceof Long port
          && Endpoint.isPort(port)
          && 0 <= from
          && from <= to
          && to < ClusterSlots.COUNT)) {
        throw unreadable();
      }
      String host =
          primary.get(0) instanceof byte[] name && name.length > 0
              ? new String(name, StandardCharsets.US_ASCII)
              : asked.host();
      Arrays.fill(
          primaries, from.intValue(), to.intValue() + 1, Endpoint.data(host, port.intValue()));
    }
    return new SlotMap(primaries);
  }

  /** Who serves a slot; empty when nobody does. */
  Optional<Endpoint> primary(int slot) {
    return Optional.ofNullable(primaries[slot]);
  }

  /** All who serve some slot. */
  Set<Endpoint> primaries() {
    Set<Endpoint> all = new LinkedHashSet<>();
    for (Endpoint primary : primaries) {
      if (primary != null) {
        all.add(primary);
      }
    }
    return all;
  }

  /** The same, but for one slot. */
  SlotMap with(int slot, Endpoint primary) {
    @Nullable Endpoint[] changed = primaries.clone();
    changed[slot] = primary;
    return new SlotMap(changed);
  }

  boolean same(SlotMap other) {
    return Arrays.equals(primaries, other.primaries);
  }

  private static UnreadableReplyException unreadable() {
    return new UnreadableReplyException("the answer to CLUSTER SLOTS makes no sense");
  }
}
