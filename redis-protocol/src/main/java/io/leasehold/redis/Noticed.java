package io.leasehold.redis;

import io.leasehold.spi.Findings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** What a node noticed that weakens its promises. Logged when it is noticed for the first time. */
final class Noticed implements Findings {
  private static final Logger LOGGER = System.getLogger("io.leasehold.redis");

  private final String label;
  private final Map<String, Finding> findings = new ConcurrentSkipListMap<>();

  Noticed(String label) {
    this.label = label;
  }

  @Override
  public List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  void evicting(String server) {
    note(
        "LH-201",
        "the server %s may drop locks: maxmemory is set with an eviction policy. Set"
            + " maxmemory-policy to noeviction on a server that keeps locks",
        server);
  }

  void mayLoseAcknowledged(String server) {
    note(
        "LH-202",
        "the server %s accepts writes that no replica has: when it is cut off from its replicas and"
            + " one of them is promoted, both grant. Set min-replicas-to-write to 1 with one"
            + " replica, or to one fewer than there are replicas, or do without the promise that a"
            + " failover cannot break a lock",
        server);
  }

  void cannotTellReplicas(String server) {
    note(
        "LH-203",
        "the server %s does not tell its min-replicas-to-write (the user needs the permission"
            + " +config|get): set it to 1 with one replica, or to one fewer than there are replicas,"
            + " and min-replicas-max-lag to 10 or less, or a failover may break a lock",
        server);
  }

  void mayBeCutOffTogether(String server, long toWrite, long connected) {
    note(
        "LH-205",
        "the server %s accepts writes that only %d of its %d replicas have: when it is cut off"
            + " together with these and another one is promoted, both grant. Set"
            + " min-replicas-to-write to %d, or do without the promise that a failover cannot break"
            + " a lock",
        server,
        toWrite,
        connected,
        Guard.recommendedMinReplicas(connected));
  }

  void longerLeases(long ours, long longest) {
    note(
        "LH-204",
        "another client of these servers uses a longer maxLease, or allows for more lag: it asks"
            + " for a quarantine of %d ms after a restart or failover, this one for %d ms. Give all"
            + " clients the same maxLease: a server that has lost its guard, too, takes the word of"
            + " the first client that asks",
        longest,
        ours);
  }

  void unguarded() {
    note(
        "LH-208",
        "with this layout there is no guard: a failover may lose leases that are still alive, and"
            + " then two hold one lock. Move to layout=distlock when all clients can");
  }

  private void note(String id, String format, Object... values) {
    String text = String.format(Locale.ROOT, format, values);
    if (findings.putIfAbsent(id, new Finding(id, text)) == null) {
      LOGGER.log(Level.WARNING, "{0} {1}: {2}", id, label, text);
    }
  }
}
