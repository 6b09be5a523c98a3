package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisServerBuilder;
import io.leasehold.testkit.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the guard in the scripts does when servers restart, are restored and take over, on real
 * servers. The quarantine is shorter here than clients ever ask for.
 */
@Execution(ExecutionMode.CONCURRENT)
class GuardScriptTest {
  private static final long QUARANTINE = 3_000;
  private static final byte[] GUARD = "leasehold:guard".getBytes(StandardCharsets.US_ASCII);

  @Test
  void withoutAGuardNothingIsAskedOrStored() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(grant(server, "a", 0)).startsWith("GRANTED").endsWith(" 0, 0");
      assertThat(server.command("EXISTS", "leasehold:guard")).isEqualTo(0L);
    }
  }

  @Test
  void aServerThatHasJustStartedGrantsWhenItIsOldEnough() {
    try (RedisServer server = RedisServer.start()) {
      String first = grant(server, "a", QUARANTINE);
      assertThat(first).startsWith("GUARDED");
      assertThat(remaining(first)).isBetween(1L, QUARANTINE);
      assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
      awaitGranted(server, "a");
    }
  }

  @Test
  void aServerThatHasBeenUpForLongIsUsedAtOnce() {
    try (RedisServer server = RedisServer.start()) {
      awaitUptime(server, 2);
      assertThat(grant(server, "a", 1_000)).startsWith("GRANTED").endsWith(" 1000, 0");
    }
  }

  @Test
  void aRestartWithItsDataIsGuardedForTheWholeTime() {
    try (RedisServer server =
        RedisServer.builder().config("appendonly yes", "appendfsync always").start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GRANTED");
      server.kill();
      server.restart(RedisServer.Data.KEPT);
      String guarded = grant(server, "b", QUARANTINE);
      assertThat(guarded).startsWith("GUARDED");
      assertThat(remaining(guarded)).isBetween(QUARANTINE - 500, QUARANTINE);
      assertThat(server.command("GET", "a")).isNotNull(); // what it kept is still there
      awaitGranted(server, "b");
    }
  }

  @Test
  void aRestartWithoutItsDataIsGuarded() {
    try (RedisServer server = RedisServer.start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GRANTED");
      server.kill();
      server.restart(RedisServer.Data.LOST);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GUARDED");
      awaitGranted(server, "a");
    }
  }

  @Test
  void aPromotionIsGuardedAlsoThatOfAServerThatWasPrimaryBefore() {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).start()) {
      RedisServer first = set.master();
      RedisServer second = set.replicas().get(0);
      set.awaitInSync(Duration.ofSeconds(20));
      vouch(first);
      assertThat(grant(first, "a", QUARANTINE)).startsWith("GRANTED");
      set.awaitInSync(Duration.ofSeconds(20));
      set.promote(second);
      assertThat(grant(second, "b", QUARANTINE)).startsWith("GUARDED");
      awaitGranted(second, "b");
      // back again, without a restart of either
      set.follow(first, second);
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(() -> "up".equals(first.info("replication").get("master_link_status")));
      set.promote(first);
      assertThat(grant(first, "c", QUARANTINE)).startsWith("GUARDED");
    }
  }

  @Test
  void aReplicaThatTheGuardNeverReachedIsGuardedHoweverLongItHasBeenUp() {
    try (RedisReplicas set = RedisReplicas.builder().replicas(1).start()) {
      RedisServer replica = set.replicas().get(0);
      awaitUptime(replica, 2);
      set.promote(replica);
      assertThat(replica.command("EXISTS", "leasehold:guard")).isEqualTo(0L);
      String guarded = grant(replica, "a", 1_000);
      assertThat(guarded).startsWith("GUARDED");
      assertThat(remaining(guarded)).isBetween(900L, 1_000L); // its uptime counts for nothing
    }
  }

  @Test
  void theReplicationIdOfAServerThatWasNeverPromotedMayChange() {
    try (RedisServer server = RedisServer.builder().config("enable-debug-command local").start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GRANTED");
      String before = server.info("replication").get("master_replid");
      server.command("DEBUG", "CHANGE-REPL-ID");
      assertThat(server.info("replication").get("master_replid")).isNotEqualTo(before);
      assertThat(server.info("replication").get("master_replid2")).matches("0+");
      assertThat(grant(server, "b", QUARANTINE)).startsWith("GRANTED");
    }
  }

  @Test
  void aFirstReplicaIsHarmless() {
    try (RedisServer server = RedisServer.start();
        RedisServer replica = RedisServer.start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GRANTED");
      follow(replica, server);
      awaitLink(replica);
      assertThat(grant(server, "b", QUARANTINE)).startsWith("GRANTED");
    }
  }

  @Test
  void anUptimeBelowZeroCountsForNothing() {
    try (RedisServer server = RedisServer.start()) {
      awaitUptime(server, 2);
      // As after a clock that was set back; the rest of the script sees the real server.
      String setBack =
          """
          local real = redis
          local redis = {REDIS_VERSION_NUM = real.REDIS_VERSION_NUM, pcall = function(...)
            local reply = real.pcall(...)
            return type(reply) == 'string' and string.gsub(reply,
              'uptime_in_seconds:', 'uptime_in_seconds:-') or reply
          end}
          """;
      assertThat(grant(server, "a", 1_000, setBack)).startsWith("GUARDED");
    }
  }

  @Test
  void theLongestQuarantineOfAnyClientCounts() {
    try (RedisServer server = RedisServer.start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).endsWith(" 3000, 0");
      assertThat(grant(server, "b", 60_000)).endsWith(" 60000, 0");
      assertThat(grant(server, "c", QUARANTINE)).endsWith(" 60000, 0");
      server.command("HSET", "leasehold:guard", "run", "another");
      assertThat(remaining(grant(server, "d", QUARANTINE))).isBetween(59_000L, 60_000L);
    }
  }

  @Test
  void aClientWithLongerLeasesMakesAQuarantineThatIsUnderWayLonger() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(remaining(grant(server, "a", QUARANTINE))).isLessThanOrEqualTo(QUARANTINE);
      assertThat(remaining(grant(server, "a", 60_000))).isGreaterThan(55_000L);
      assertThat(remaining(grant(server, "a", QUARANTINE))).isGreaterThan(55_000L);
    }
  }

  @Test
  void aClockThatWasSetBackDoesNotProlongTheQuarantineForEver() {
    try (RedisServer server = RedisServer.start()) {
      grant(server, "a", QUARANTINE);
      server.command("HSET", "leasehold:guard", "until", "9007199254740991");
      assertThat(remaining(grant(server, "a", QUARANTINE))).isLessThanOrEqualTo(QUARANTINE);
      awaitGranted(server, "a");
    }
  }

  @Test
  void whoeverKnowsThatAServerIsNewVouchesForIt() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(grant(server, "a", 60_000)).startsWith("GUARDED");
      vouch(server);
      assertThat(grant(server, "a", 60_000)).startsWith("GRANTED");
    }
  }

  @Test
  void aGuardThatCannotBeReadGrantsNothing() {
    try (RedisServer server = RedisServer.start()) {
      for (String field : List.of("quarantine", "until")) {
        for (String nonsense : List.of("soon", "", "nan")) {
          server.command("HSET", "leasehold:guard", field, nonsense);
          assertThat(grant(server, "a", QUARANTINE))
              .as(field + " " + nonsense)
              .contains("the guard of this server is damaged");
          server.command("DEL", "leasehold:guard");
        }
      }
      server.command("HSET", "leasehold:guard", "layout", "redisson");
      assertThat(grant(server, "a", QUARANTINE)).startsWith("LAYOUT").contains("redisson");
      server.command("SET", "leasehold:guard", "x");
      assertThat(grant(server, "a", QUARANTINE)).startsWith("WRONGTYPE");
      assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
    }
  }

  @Test
  void whileGuardedNothingIsRaisedOrHandedOnAndExtendingAndReleasingGoOn() {
    try (RedisServer server = RedisServer.start()) {
      vouch(server);
      assertThat(grant(server, "a", QUARANTINE)).startsWith("GRANTED");
      server.command("HSET", "leasehold:guard", "run", "another");
      LockKeys keys = LockKeys.of("a", false);
      byte[] fence = keys.get(Key.FENCE);
      assertThat(
              ScriptOnServer.call(
                  server,
                  Script.RAISE.call(
                      List.of(keys.get(Key.LOCK), fence, GUARD), "owner", 1, 600_000, QUARANTINE)))
          .startsWith("GUARDED");
      assertThat(
              ScriptOnServer.call(
                  server,
                  Script.EXTEND.call(
                      List.of(keys.get(Key.LOCK), keys.get(Key.FORCED), keys.get(Key.FENCE)),
                      600_000,
                      "owner",
                      60_000)))
          .endsWith("EXTENDED");
      assertThat(
              ScriptOnServer.call(
                  server,
                  Script.TRANSFER.call(
                      List.of(
                          keys.get(Key.LOCK),
                          fence,
                          keys.get(Key.WAITERS),
                          keys.get(Key.TURN),
                          keys.get(Key.FORCED),
                          GUARD),
                      "owner",
                      "next",
                      30_000,
                      1,
                      600_000,
                      "client",
                      QUARANTINE)))
          .startsWith("GUARDED");
      assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
    }
  }

  /**
   * Redis 6.2 forgets its backlog when it begins to copy another server. Promoted again before the
   * copy has come, it has what it had; and when the next replica comes, it forgets that it was
   * promoted, too: new replication id, no second one. Redis 7 does not forget.
   */
  @ParameterizedTest
  @EnumSource(RedisVersion.class)
  void aPromotionThatTheServerItselfHasForgottenIsNotHarmless(RedisVersion version) {
    RedisServerBuilder old = RedisServer.builder().version(version);
    try (RedisServer first = old.start();
        RedisServer second = old.start();
        RedisServer third = old.start()) {
      follow(third, first); // so that the first one has replicas, and a backlog
      awaitLink(third);
      vouch(first);
      assertThat(grant(first, "a", QUARANTINE)).startsWith("GRANTED");
      // The second one took over, and grants: to the first one that is as good as lost.
      vouch(second);
      assertThat(grant(second, "b", 60_000)).startsWith("GRANTED");
      second.command("CONFIG", "SET", "rdb-key-save-delay", "2000000");
      follow(first, second);
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(() -> "1".equals(first.info("replication").get("master_sync_in_progress")));
      first.command("REPLICAOF", "NO", "ONE");
      assertThat(first.info("replication").get("master_replid2")).doesNotMatch("0+");
      awaitLink(third);
      String earlier = first.info("replication").get("master_replid2");
      assertThat(String.valueOf(earlier).matches("0+")).isEqualTo(version == RedisVersion.V6_2);
      assertThat(grant(first, "b", QUARANTINE)).startsWith("GUARDED");
    }
  }

  private static void follow(RedisServer replica, RedisServer primary) {
    replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
  }

  private static void awaitLink(RedisServer replica) {
    await()
        .atMost(20, TimeUnit.SECONDS)
        .until(() -> "up".equals(replica.info("replication").get("master_link_status")));
  }

  private void awaitGranted(RedisServer server, String name) {
    await()
        .atMost(15, TimeUnit.SECONDS)
        .until(() -> grant(server, name, QUARANTINE).startsWith("GRANTED"));
  }

  private static void awaitUptime(RedisServer server, int seconds) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> Integer.parseInt(server.info("server").get("uptime_in_seconds")) >= seconds);
  }

  private String grant(RedisServer server, String name, long quarantine) {
    return grant(server, name, quarantine, "");
  }

  private String grant(RedisServer server, String name, long quarantine, String before) {
    LockKeys keys = LockKeys.of(name, false);
    return ScriptOnServer.call(
        server,
        Script.GRANT.call(
            List.of(keys.get(Key.LOCK), keys.get(Key.FENCE), keys.get(Key.WAITERS), GUARD),
            "owner",
            30_000,
            1,
            Long.MAX_VALUE >> 10,
            600_000,
            "client",
            0,
            quarantine),
        before);
  }

  private void vouch(RedisServer server) {
    assertThat(ScriptOnServer.call(server, Script.VOUCH.call(List.of(GUARD), QUARANTINE)))
        .startsWith("VOUCHED");
  }

  private static long remaining(String guarded) {
    assertThat(guarded).startsWith("GUARDED");
    return Long.parseLong(guarded.substring(guarded.lastIndexOf(' ') + 1));
  }
}
