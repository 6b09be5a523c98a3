package io.leasehold.testkit;

import java.util.List;

/**
 * How often sentinels look and talk. Their periods are made for networks of machines; redis 7 lets
 * a test change them ({@code SENTINEL DEBUG}). Older ones keep theirs, and everything takes longer.
 * A sentinel that is restarted has the usual periods again.
 */
final class SentinelPace {

  private final List<RedisServer> sentinels;

  SentinelPace(List<RedisServer> sentinels) {
    this.sentinels = sentinels;
  }

  /** For a beginning, in which nobody takes over: everybody is found at once. */
  void hurry() {
    set("INFO-PERIOD", "100", "PUBLISH-PERIOD", "100");
  }

  /**
   * For the life after. None of these can be made as short as one likes:
   *
   * <ul>
   *   <li>A server that says it is a master and is not known as one is made a replica after four
   *       publish periods; a failover that was ordered must have become known by then, and it is
   *       noticed after up to a second.
   *   <li>A promotion ends all connections of the promoted, and who is not connected is silent
   *       since its last pong: pings must be more frequent than {@code downAfter}, or the new
   *       master is taken for down before the sentinels are back.
   *   <li>A replica is promoted only if its last report is not older than five ping periods, and
   *       reports then come once a second.
   *   <li>A machine that is busy must not put the sentinels into tilt, in which they do nothing for
   *       half a minute.
   * </ul>
   */
  void settle() {
    set(
        "PING-PERIOD",
        "400",
        "INFO-PERIOD",
        "500",
        "PUBLISH-PERIOD",
        "1000",
        "ASK-PERIOD",
        "200",
        "TILT-TRIGGER",
        "10000",
        "TILT-PERIOD",
        "2000");
  }

  /** Whether the sentinels of a server's version let their pace be changed. */
  static boolean canChange(RedisServer server) {
    return !server.info("server").getOrDefault("redis_version", "").startsWith("6.");
  }

  private void set(String... namesAndValues) {
    String[] words = new String[namesAndValues.length + 2];
    words[0] = "SENTINEL";
    words[1] = "DEBUG";
    System.arraycopy(namesAndValues, 0, words, 2, namesAndValues.length);
    for (RedisServer sentinel : sentinels) {
      if (canChange(sentinel)) {
        sentinel.command(words);
      }
    }
  }
}
