package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot on its way from one master to another. Until it is finished or cancelled both serve it:
 * the old one what it still has, the new one whoever was sent with {@code ASKING}. One thread at a
 * time.
 */
public final class SlotMove {

  private static final String MIGRATE_MILLIS = "10000";
  private static final int BATCH = 100;
  private static final Duration KNOWN_WITHIN = Duration.ofSeconds(30);

  private final RedisCluster cluster;
  private final int slot;
  private final RedisServer from;
  private final RedisServer to;

  private SlotMove(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
    this.cluster = cluster;
    this.slot = slot;
    this.from = from;
    this.to = to;
  }

  static SlotMove begin(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
    SlotMove move = new SlotMove(cluster, slot, from, to);
    // In this order: a client that the old master sends on must be welcome.
    move.setSlot(to, "IMPORTING", cluster.idOf(from));
    move.setSlot(from, "MIGRATING", cluster.idOf(to));
    return move;
  }

  public int slot() {
    return slot;
  }

  /** The master that has the slot until the move is finished. */
  public RedisServer from() {
    return from;
  }

  /** The master that has it afterwards. */
  public RedisServer to() {
    return to;
  }

  /** Moves these keys and no others. Those that do not exist are left out. */
  public void moveKeys(List<String> keys) {
    List<String> words =
        new ArrayList<>(
            List.of("MIGRATE", to.host(), String.valueOf(to.port()), "", "0", MIGRATE_MILLIS));
    to.password().ifPresent(secret -> words.addAll(List.of("AUTH", secret)));
    words.add("KEYS");
    words.addAll(keys);
    from.command(words.toArray(String[]::new));
  }

  /** Moves all keys that are left. */
  public void moveKeys() {
    for (List<String> keys = someKeys(); !keys.isEmpty(); keys = someKeys()) {
      moveKeys(keys);
    }
  }

  /**
   * Gives the slot to its new master and waits until all nodes know.
   *
   * @throws IllegalStateException if the old master still has keys of it
   */
  public void finish() {
    if (!someKeys().isEmpty()) {
      throw new IllegalStateException(from + " still has keys of slot " + slot + "; moveKeys()");
    }
    String id = cluster.idOf(to);
    // First the new one: if the old one gave it up before, nobody would have it.
    setSlot(to, "NODE", id);
    setSlot(from, "NODE", id);
    cluster.awaitMasterOf(slot, server -> server == to, KNOWN_WITHIN);
  }

  /** Leaves the slot where it was. Keys that were moved already stay where they are. */
  public void cancel() {
    setSlot(from, "STABLE");
    setSlot(to, "STABLE");
  }

  private List<String> someKeys() {
    Object reply =
        from.command("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), String.valueOf(BATCH));
    return reply instanceof List<?> keys ? keys.stream().map(String::valueOf).toList() : List.of();
  }

  private void setSlot(RedisServer node, String... what) {
    List<String> words = new ArrayList<>(List.of("CLUSTER", "SETSLOT", String.valueOf(slot)));
    words.addAll(List.of(what));
    node.command(words.toArray(String[]::new));
  }
}
