package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The guard, on the client's side: whether it is on, which key it has, and how long a server that
 * may have lost leases must not grant. What it does is in {@code guard.lua}.
 *
 * <p>That time is the longest lease, and no less than the span of clocks that tokens depend on (λ +
 * ε); a second of margin; and, where another server may take over, the difference between two
 * servers' clocks that is allowed for, and the time for which a primary that was cut off may go on
 * granting before it notices that its replicas are gone.
 */
final class Guard {
  private static final Duration CLOCKS = Duration.ofSeconds(10);
  private static final Duration MARGIN = Duration.ofSeconds(1);
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);
  private static final Duration USUAL_LAG = Duration.ofSeconds(10);
  private static final byte[] ONE_KEY = "leasehold:guard".getBytes(US_ASCII);

  private final boolean on;
  private final boolean failOver;
  private final boolean clustered;
  private final long least;
  private final Noticed noticed;
  private volatile long lagMillis;

  Guard(LockUrl url, RedisServers servers, Noticed noticed) {
    boolean guardable = url.get(Options.LAYOUT) == Options.Layout.DISTLOCK;
    this.on = url.given(Options.GUARD).orElse(guardable && servers.failOver());
    this.failOver = servers.failOver();
    this.clustered = servers.topology() == RedisServers.Topology.CLUSTER;
    Duration longest = url.get(Options.MAX_LEASE);
    Duration base = (longest.compareTo(CLOCKS) > 0 ? longest : CLOCKS).plus(MARGIN);
    this.least = (failOver ? base.plus(CLOCK_DIFFERENCE) : base).toMillis();
    this.noticed = noticed;
  }

  boolean isOn() {
    return on;
  }

  /** How long a server that may have lost leases must not grant; 0 when the guard is off. */
  long quarantineMillis() {
    return on ? least + lagMillis : 0;
  }

  /** G: one for each server or, where names move between servers by slot, for each slot. */
  static byte[] key(int slot, boolean clustered) {
    return clustered
        ? Requests.bytes(Key.GUARD.prefix() + new String(ClusterSlots.tag(slot), US_ASCII) + "}")
        : ONE_KEY;
  }

  /** All keys of it that there can be. */
  List<byte[]> keys() {
    return IntStream.range(0, clustered ? ClusterSlots.COUNT : 1)
        .mapToObj(slot -> key(slot, clustered))
        .toList();
  }

  /** A server has said what the longest quarantine is that any client asked for. */
  void heard(long longest) {
    long ours = quarantineMillis();
    if (longest > ours) {
      noticed.longerLeases(ours, longest);
    }
  }

  /** Whether it matters how many replicas a write must have. */
  boolean asksForReplicas() {
    return on && failOver;
  }

  /**
   * What a server answered when it was asked for {@code min-replicas-*}.
   *
   * @param connected how many replicas it has
   */
  void learnReplicas(String server, Object reply, long connected) {
    long toWrite = setting(reply, "min-replicas-to-write");
    long maxLag = setting(reply, "min-replicas-max-lag");
    if (toWrite < 0 || maxLag < 0) {
      noticed.cannotTellReplicas(server);
    } else if (toWrite == 0 || maxLag == 0) {
      noticed.mayLoseAcknowledged(server);
    } else if (toWrite < recommendedMinReplicas(connected)) {
      noticed.mayBeCutOffTogether(server, toWrite, connected);
    }
    allowFor(lag(toWrite, maxLag));
  }

  /**
   * The {@code min-replicas-to-write} that docs/redis.md recommends. With one replica, 1: a primary
   * that was replaced stops. With more, one fewer than there are: the promoted server has that many
   * left, and a primary that was replaced stops unless it keeps all the others.
   */
  static long recommendedMinReplicas(long replicas) {
    return Math.max(1, replicas - 1);
  }

  /**
   * The quarantine that a client which knows only this server comes to; zero with the guard off.
   */
  Duration quarantine(long toWrite, long maxLag) {
    Duration lag = asksForReplicas() ? lag(toWrite, maxLag) : Duration.ZERO;
    return on ? Duration.ofMillis(least).plus(lag) : Duration.ZERO;
  }

  /** For how long a primary that is cut off from its replicas may go on granting, if that ends. */
  private static Duration lag(long toWrite, long maxLag) {
    if (toWrite < 0 || maxLag < 0) {
      return USUAL_LAG.plus(MARGIN);
    }
    boolean off = toWrite == 0 || maxLag == 0; // either turns it off
    return off ? Duration.ZERO : Duration.ofSeconds(maxLag).plus(MARGIN); // it looks once a second
  }

  /** The value of a setting in the reply to CONFIG GET; -1 when it is not there. */
  static long setting(Object reply, String name) {
    if (reply instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs.get(i) instanceof byte[] key
            && pairs.get(i + 1) instanceof byte[] value
            && new String(key, US_ASCII).equals(name)) {
          String digits = new String(value, US_ASCII);
          return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : -1;
        }
      }
    }
    return -1;
  }

  private synchronized void allowFor(Duration lag) {
    lagMillis = Math.max(lagMillis, lag.toMillis());
  }
}
