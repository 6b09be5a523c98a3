package io.leasehold.redis;

import static io.leasehold.redis.RedissonNodeTest.isLost;
import static io.leasehold.redis.RedissonNodeTest.isRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Released;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetnxNodeTest extends LayoutFixture {

  SetnxNodeTest() {
    super("setnx");
  }

  @Test
  void aLockIsTheTimeOfItsEndAndOutlivesItByAMoment() {
    long before = System.currentTimeMillis();
    assertThat(grant(OWNER))
        .isInstanceOfSatisfying(
            Granted.class, granted -> assertThat(granted.token()).isEqualTo(Granted.NO_TOKEN));
    long end = number("GET", NAME);
    assertThat(end).isBetween(before + 30_000, System.currentTimeMillis() + 30_000);
    assertThat(number("PTTL", NAME)).isBetween(30_500L, 31_000L);
    assertThat(server.command("SETNX", NAME, "1")).as("what they do").isEqualTo(0L);
    assertThat(grant("us-2"))
        .isInstanceOfSatisfying(
            Busy.class, busy -> assertThat(busy.remainingMillis()).isBetween(29_000L, 30_000L));
    assertThat(inspect())
        .isInstanceOfSatisfying(
            Inspection.class,
            seen -> assertThat(seen.holder().orElseThrow().owner()).isEqualTo(OWNER));
    assertThat(release(OWNER)).isInstanceOf(Released.class);
    assertThat(number("DBSIZE")).isZero();
    assertThat(node.capabilities()).isEmpty();
  }

  @Test
  void everythingThatItMakesEnds() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    assertThat((List<?>) server.command("KEYS", "*"))
        .hasSize(2)
        .allSatisfy(key -> assertThat(number("PTTL", key.toString())).isPositive());
  }

  @Test
  void aRepeatedGrantIsTheSameHolder() {
    assertThat(grant(OWNER, 5_000, GrantRequest.NO_DEADLINE)).isInstanceOf(Granted.class);
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    assertThat(number("PTTL", NAME)).isGreaterThan(20_000L);
    assertThat(release(OWNER)).isInstanceOf(Released.class);
    isLost(release(OWNER), NotHeld.Cause.ABSENT);
  }

  @Test
  void aRequestThatComesTooLateGrantsNothing() {
    assertThat(grant(OWNER, 30_000, 1)).isInstanceOf(Expired.class);
    assertThat(number("DBSIZE")).isZero();
  }

  @Test
  void theirLockIsHeldUntilItsTimeIsPastAndThenTaken() {
    server.command("SETNX", NAME, String.valueOf(System.currentTimeMillis() + 1_500));
    assertThat(grant(OWNER))
        .isInstanceOfSatisfying(
            Busy.class, busy -> assertThat(busy.remainingMillis()).isBetween(1L, 1_500L));
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
    await().until(() -> grant(OWNER) instanceof Granted);
    assertThat(extend(OWNER, 60_000)).isInstanceOf(Extended.class);
    assertThat(number("GET", NAME)).isGreaterThan(System.currentTimeMillis() + 50_000);
    assertThat(release(OWNER)).isInstanceOf(Released.class);
  }

  @Test
  void ourLockEndsWithItsTimeForUsToo() {
    assertThat(grant(OWNER, 30, GrantRequest.NO_DEADLINE)).isInstanceOf(Granted.class);
    await().until(() -> grant("us-2") instanceof Granted);
    isLost(extend(OWNER, 1_000), NotHeld.Cause.TAKEN);
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
    assertThat(release("us-2")).isInstanceOf(Released.class);
    assertThat(grant(OWNER, 30, GrantRequest.NO_DEADLINE)).isInstanceOf(Granted.class);
    await().until(() -> inspect() instanceof Inspection seen && seen.holder().isEmpty());
    isLost(extend(OWNER, 1_000), NotHeld.Cause.ABSENT);
  }

  @Test
  void aLoserWhoOverwritesTheTimeStampCostsUsTheLockAndNotTheOther() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    String theirs = String.valueOf(System.currentTimeMillis() + 40_000);
    assertThat(server.command("GETSET", NAME, theirs)).isNotNull();
    isLost(extend(OWNER, 60_000), NotHeld.Cause.TAKEN);
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
    assertThat(server.command("GET", NAME)).isEqualTo(theirs);
  }

  @Test
  void aStrangerWithTheVeryTimeStampOfOursIsNotTakenForUs() {
    assertThat(grant(OWNER)).isInstanceOf(Granted.class);
    String same = String.valueOf(server.command("GET", NAME));
    server.command("DEL", NAME); // a holder who comes late
    assertThat(server.command("SETNX", NAME, same)).isEqualTo(1L);
    isLost(extend(OWNER, 60_000), NotHeld.Cause.TAKEN);
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
    assertThat(number("EXISTS", NAME)).isEqualTo(1);
  }

  @Test
  void theyTakeItOverOnceItsTimeIsPast() {
    assertThat(grant(OWNER, 30, GrantRequest.NO_DEADLINE)).isInstanceOf(Granted.class);
    String old = String.valueOf(server.command("GET", NAME));
    await().until(() -> System.currentTimeMillis() > Long.parseLong(old));
    String theirs = String.valueOf(System.currentTimeMillis() + 30_000);
    assertThat(server.command("GETSET", NAME, theirs))
        .as("whoever gets the old one wins")
        .isEqualTo(old);
    assertThat(grant("us-2")).isInstanceOf(Busy.class);
    isLost(release(OWNER), NotHeld.Cause.TAKEN);
  }

  @ParameterizedTest
  @CsvSource({
    "SET a us-1-2, layout=distlock",
    "SET a 1700000000, is a string", // seconds: not to be taken for a time long past
    "HSET a x 1, layout=redisson",
    "RPUSH a x, is a list",
  })
  void aKeyOfAnotherLayoutIsNoticed(String command, String told) {
    server.command(command.split(" "));
    isRefused(grant(OWNER), told, "layout=setnx");
    isRefused(inspect(), told, "layout=setnx");
    assertThat(number("EXISTS", NAME)).isEqualTo(1);
    assertThat(release(OWNER)).isNotInstanceOf(Released.class);
    assertThat(extend(OWNER, 1_000)).isNotInstanceOf(Extended.class);
  }

  @Test
  void theLayoutOfThePublishedAlgorithmNoticesTheirTimeStamps() {
    server.command("SETNX", NAME, String.valueOf(System.currentTimeMillis() + 30_000));
    try (LockNode other = open("distlock")) {
      isRefused(grant(other, "o", 1_000, GrantRequest.NO_DEADLINE), "SETNX/GETSET", "distlock");
    }
  }

  @Test
  void thereAreNoWakeUps() {
    assertThat(node.watch(NAME, () -> {}).toCompletableFuture().join()).isInstanceOf(Failed.class);
  }
}
