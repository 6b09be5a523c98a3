package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Released;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedissonNodeTest extends LayoutFixture {
  private static final String THEIRS = "5d3f0cc0-7ab2-4a3c-9f2e-1a2b3c4d5e6f:1";

  RedissonNodeTest() {
    super("redisson");
  }

  @Test
  void aLockIsAHashOfItsHolderWithAnExpiry() {
    assertThat(grant(OWNER)).isInstanceOfSatisfying(Granted.class, this::hasNoToken);
    assertThat(server.command("HGETALL", NAME)).isEqualTo(List.of(OWNER, "1"));
    assertThat(number("PTTL", NAME)).isBetween(29_000L, 30_000L);
    assertThat(grant("us-2")).isInstanceOf(Busy.class);
    assertThat(inspect())
        .isInstanceOfSatisfying(
            Inspection.class,
            seen -> assertThat(seen.holder().orElseThrow().owner()).isEqualTo(OWNER));
    assertThat(release(OWNER)).isInstanceOf(Released.class);
    assertThat(number("DBSIZE")).isZero();
  }

  private void hasNoToken(Granted granted) {
    assertThat(granted.token()).isEqualTo(Granted.NO_TOKEN);
    assertThat(node.capabilities()).containsExactly(Capability.WAKE_UPS);
  }

  @Test
  void aRepeatedGrantDoesNotEnterTwice() {
    assertThat(grant(OWNER, 5_000, GrantRequest.NO_DEADLINE)).isInstanceOf(Granted.class);
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    assertThat(server.command("HGET", NAME, OWNER)).isEqualTo("1");
    assertThat(number("PTTL", NAME)).isGreaterThan(20_000L);
    assertThat(release(OWNER)).isInstanceOf(Released.class);
    isLost(release(OWNER), NotHeld.Cause.ABSENT);
  }

  @Test
  void aLoginThatMayNotGiveALockItsEndLeavesNoneBehind() {
    server.command("ACL", "SETUSER", "default", "-pexpire");
    try {
      assertThat(grant(OWNER))
          .isInstanceOfSatisfying(
              Failed.class,
              failed -> {
                assertThat(failed.kind()).isEqualTo(FailureKind.NO_PERMISSION);
                assertThat(failed.message()).contains("pexpire");
              });
    } finally {
      server.command("ACL", "SETUSER", "default", "+pexpire");
    }
    assertThat(number("DBSIZE")).isZero();
  }

  @Test
  void aRequestThatComesTooLateGrantsNothing() {
    assertThat(grant(OWNER, 30_000, 1)).isInstanceOf(Expired.class);
    assertThat(number("DBSIZE")).isZero();
  }

  @Test
  void theirHolderIsNeitherExtendedNorReleasedHoweverOftenItHasEntered() {
    server.command("HSET", NAME, THEIRS, "2");
    server.command("PEXPIRE", NAME, "5000");
    assertThat(grant(OWNER))
        .isInstanceOfSatisfying(
            Busy.class, busy -> assertThat(busy.remainingMillis()).isBetween(4_000L, 5_000L));
    isLost(extend(OWNER, 60_000), NotHeld.Cause.TAKEN);
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
    assertThat(server.command("HGETALL", NAME)).isEqualTo(List.of(THEIRS, "2"));
    assertThat(number("PTTL", NAME)).isLessThanOrEqualTo(5_000L);
  }

  @Test
  void anExtensionLearnsThatTheLockWasForcedOpen() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    assertThat(extend(OWNER, 60_000)).isInstanceOf(Extended.class);
    assertThat(number("PTTL", NAME)).isGreaterThan(50_000L);
    server.command("DEL", NAME);
    isLost(extend(OWNER, 60_000), NotHeld.Cause.ABSENT);
    assertThat(number("EXISTS", NAME)).as("an extension makes nothing").isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "a,         redisson_lock__channel:{a}",
    "a{b}c,     redisson_lock__channel:a{b}c",
    "a{b,       redisson_lock__channel:a{b",
    "a}b,       redisson_lock__channel:{a}b}",
  })
  void theChannelIsNamedAsTheyNameIt(String name, String channel) {
    assertThat(LockChannels.channel(name)).isEqualTo(channel);
  }

  @Test
  void aReleaseSaysWhatTheyWaitFor() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    try (RespConnection waiter =
        RespConnection.open("127.0.0.1", server.port(), Duration.ofSeconds(10))) {
      waiter.call("SUBSCRIBE", "redisson_lock__channel:{a}");
      assertThat(inspect())
          .isInstanceOfSatisfying(
              Inspection.class, seen -> assertThat(seen.waiters()).isEqualTo(1));
      assertThat(release(OWNER))
          .isInstanceOfSatisfying(
              Released.class, released -> assertThat(released.wokeAnother()).isTrue());
      assertThat(waiter.receive()).isEqualTo(List.of("message", "redisson_lock__channel:{a}", "0"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SET a us-1-2, layout=distlock",
    "SETNX a 1700000000000, layout=setnx",
    "RPUSH a x, is a list",
  })
  void aKeyOfAnotherLayoutIsNoticed(String command, String told) {
    server.command(command.split(" "));
    isRefused(grant(OWNER), told, "layout=redisson");
    isRefused(inspect(), told, "layout=redisson");
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
  }

  @Test
  void theLayoutOfThePublishedAlgorithmNoticesThese() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    try (LockNode other = open("distlock")) {
      isRefused(grant(other, "o", 1_000, GrantRequest.NO_DEADLINE), "layout=redisson", "a hash");
    }
  }

  static void isRefused(Object reply, String... words) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.kind()).isEqualTo(FailureKind.WRONG_TYPE);
              assertThat(failed.message()).contains(words);
            });
  }

  static void isLost(Object reply, NotHeld.Cause why) {
    assertThat(reply)
        .isInstanceOfSatisfying(NotHeld.class, lost -> assertThat(lost.cause()).isEqualTo(why));
  }
}
