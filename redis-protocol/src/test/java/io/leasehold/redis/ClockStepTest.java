package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What {@code docs/guarantees.md} says about tokens and quarantines when state is lost and clocks
 * differ or are set, on real servers: what holds within the assumptions, and for each assumption
 * how it breaks without it. The scripts see the server's clock with an offset, so that the tests
 * can set it and need not wait.
 */
class ClockStepTest {
  /** The longest of maxLease and 10 s, and the margin of a second. */
  private static final long QUARANTINE = 11_000;

  /** The same where another server may take over: two seconds more for their clocks. */
  private static final long QUARANTINE_OF_SEVERAL = QUARANTINE + 2_000;

  private static final long SECOND = 1_000_000;
  private static final byte[] GUARD = "leasehold:guard".getBytes(StandardCharsets.US_ASCII);
  private static final LockKeys KEYS = LockKeys.of("lock", false);

  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void withoutTheGuardATokenFallsWhenTheFenceIsLostWithinTenSeconds() {
    long before = token(grant(server, 0, 4 * SECOND, 0)); // a client whose clock is 4 s ahead
    server.restart(RedisServer.Data.LOST);
    assertThat(token(grant(server, 0, 0, 0))).isLessThan(before);
  }

  @Test
  void withoutTheGuardNoTokenFallsWhenTenSecondsHavePassed() {
    long before = token(grant(server, 0, 5 * SECOND - 1_000, 0));
    server.restart(RedisServer.Data.LOST);
    assertThat(token(grant(server, 10 * SECOND, 0, 0))).isGreaterThan(before);
  }

  @Test
  void withTheGuardNoTokenFallsWhenTheFenceIsLost() {
    vouch(server, QUARANTINE);
    long before = token(grant(server, 0, 5 * SECOND - 1_000, QUARANTINE));
    server.restart(RedisServer.Data.LOST);
    long remaining = remaining(grant(server, 0, 0, QUARANTINE));
    long micros = remaining * 1_000;
    assertThat(token(grant(server, micros, 0, QUARANTINE))).isGreaterThan(before);
  }

  @Test
  void noTokenFallsWhenAServerTakesOverWhoseClockIsTwoSecondsBehind() {
    try (RedisServer promoted = RedisServer.start()) {
      assertThat(tokenAfterFailover(promoted, -2 * SECOND)).isPositive();
    }
  }

  @Test
  void aTokenFallsWhenAServerTakesOverWhoseClockIsFourSecondsBehind() {
    try (RedisServer promoted = RedisServer.start()) {
      assertThat(tokenAfterFailover(promoted, -4 * SECOND)).isNegative();
    }
  }

  @Test
  void aStepForwardOfASecondDuringAQuarantineLeavesTenSecondsOfIt() {
    assertThat(grant(server, 0, 0, QUARANTINE)).startsWith("GUARDED");
    Object until = until(server);
    assertThat(grant(server, SECOND, 0, QUARANTINE)).startsWith("GUARDED");
    assertThat(until(server)).isEqualTo(until);
    vouch(server, QUARANTINE);
    long before = token(grant(server, 0, 5 * SECOND - 1_000, QUARANTINE));
    server.restart(RedisServer.Data.LOST);
    long remaining = remaining(grant(server, 0, 0, QUARANTINE));
    long tenSecondsLater = (remaining - 1_000) * 1_000;
    assertThat(token(grant(server, tenSecondsLater + SECOND, 0, QUARANTINE))).isGreaterThan(before);
  }

  @Test
  void aLongerStepForwardDuringAQuarantineEndsItTooEarly() {
    assertThat(grant(server, 0, 0, QUARANTINE)).startsWith("GUARDED");
    assertThat(grant(server, QUARANTINE * 1_000, 0, QUARANTINE)).startsWith("GRANTED");
  }

  @Test
  void aStepBackDuringAQuarantineMakesItNoLongerThanItsWholeTime() {
    assertThat(grant(server, 0, 0, QUARANTINE)).startsWith("GUARDED");
    long remaining = remaining(grant(server, -3_600 * SECOND, 0, QUARANTINE));
    assertThat(remaining).isLessThanOrEqualTo(QUARANTINE);
  }

  /** The guard knows only the server's uptime, which the server takes from its wall clock. */
  @Test
  void aStepForwardBetweenTheStartOfAServerAndItsFirstRequestCountsAsUptime() {
    try (RedisServer other = RedisServer.start()) {
      assertThat(grant(server, 0, 0, QUARANTINE)).startsWith("GUARDED");
      assertThat(grant(other, 20 * SECOND, 0, QUARANTINE)).startsWith("GRANTED");
    }
  }

  /** How much a token grows with a failover that loses the fence, as soon as one is granted. */
  private long tokenAfterFailover(RedisServer promoted, long behind) {
    vouch(server, QUARANTINE_OF_SEVERAL);
    long before = token(grant(server, 0, 5 * SECOND - 1_000, QUARANTINE_OF_SEVERAL));
    long now = micros(server);
    vouch(promoted, QUARANTINE_OF_SEVERAL);
    promoted.command("HSET", "leasehold:guard", "run", "the server before");
    String guarded = grant(promoted, behind, 0, QUARANTINE_OF_SEVERAL);
    // Counted from the last grant before: as if the failover had taken no time.
    long later = now + remaining(guarded) * 1_000 - micros(promoted);
    promoted.command("HSET", "leasehold:guard", "until", "0");
    return token(grant(promoted, behind + later, 0, QUARANTINE_OF_SEVERAL)) - before;
  }

  /**
   * Asks for a lock that is free.
   *
   * @param ahead microseconds that the server's clock is ahead of the machine's
   * @param proposal the proposed token, in microseconds ahead of the machine's clock
   * @param quarantine in milliseconds; 0 without the guard
   */
  private static String grant(RedisServer server, long ahead, long proposal, long quarantine) {
    server.command("DEL", "lock");
    return ScriptOnServer.call(
        server,
        Script.GRANT.call(
            List.of(KEYS.get(Key.LOCK), KEYS.get(Key.FENCE), KEYS.get(Key.WAITERS), GUARD),
            "owner",
            30_000,
            micros(server) + proposal,
            Long.MAX_VALUE >> 10,
            600_000,
            "client",
            0,
            quarantine),
        clock(ahead));
  }

  /** The rest of the script sees the server's clock, and its uptime, with this offset. */
  private static String clock(long ahead) {
    return """
    local real = redis
    local redis = {REDIS_VERSION_NUM = real.REDIS_VERSION_NUM, pcall = function(command, ...)
      local reply = real.pcall(command, ...)
      if command == 'TIME' then
        local micros = reply[1] * 1000000 + reply[2] + %1$d
        return {string.format('%%.0f', math.floor(micros / 1000000)),
          string.format('%%.0f', micros %% 1000000)}
      end
      return command == 'INFO' and (string.gsub(reply, 'uptime_in_seconds:(%%d+)', function(up)
        return string.format('uptime_in_seconds:%%.0f', up + math.floor(%1$d / 1000000))
      end)) or reply
    end}
    """
        .formatted(ahead);
  }

  private static void vouch(RedisServer server, long quarantine) {
    assertThat(ScriptOnServer.call(server, Script.VOUCH.call(List.of(GUARD), quarantine)))
        .startsWith("VOUCHED");
  }

  private static Object until(RedisServer server) {
    return Listeners.list(server.command("HMGET", "leasehold:guard", "until")).get(0);
  }

  private static long micros(RedisServer server) {
    List<?> time = Listeners.list(server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0))) * SECOND
        + Long.parseLong(String.valueOf(time.get(1)));
  }

  private static long token(String granted) {
    assertThat(granted).startsWith("GRANTED");
    return Long.parseLong(granted.split(", ", -1)[2]);
  }

  private static long remaining(String guarded) {
    assertThat(guarded).startsWith("GUARDED");
    return Long.parseLong(guarded.split(", ", -1)[2]);
  }
}
