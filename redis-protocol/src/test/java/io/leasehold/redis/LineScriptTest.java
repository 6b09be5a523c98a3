package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.FairLine;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who comes next: what the scripts do with those who wait, on real servers. */
@ParameterizedClass
@EnumSource(RedisVersion.class)
class LineScriptTest {
  private static final LockKeys KEYS = LockKeys.of("lock", false);

  @Parameter RedisVersion version = RedisVersion.V7_0;

  private RedisServer server;
  private Listeners listeners;

  @BeforeEach
  void start() {
    server = RedisServer.builder().version(version).start();
    listeners = new Listeners(server);
  }

  @AfterEach
  void stop() {
    listeners.close();
    server.close();
  }

  @Test
  void aReleaseWakesTheOneThatHasWaitedLongestAndNobodyElse() {
    listeners.listen("a", "b", "c");
    assertThat(grant("x/1", "x")).startsWith("GRANTED").endsWith(" 0");
    assertThat(grantOrWait("a/1", "a")).startsWith("BUSY");
    assertThat(grantOrWait("b/1", "b")).startsWith("BUSY");
    assertThat(release("x/1", "x")).startsWith("RELEASED").endsWith(" 1");
    assertThat(listeners.heard()).containsExactly("a: lock");
    assertThat(grantOrWait("a/2", "a")).startsWith("GRANTED").endsWith(" 1"); // b waits
  }

  @Test
  void whoeverDoesNotHearIsPassedOverAndForgottenInTime() {
    listeners.listen("b");
    grant("x/1", "x");
    grantOrWait("dead/1", "dead");
    grantOrWait("b/1", "b");
    assertThat(release("x/1", "x")).endsWith(" 1");
    assertThat(listeners.heard()).containsExactly("b: lock");
    assertThat(line()).containsExactly("dead"); // it may be between two connections
    server.command("ZADD", waiters(), "1", "dead"); // since 1970
    grant("x/2", "x");
    assertThat(release("x/2", "x")).endsWith(" 0");
    assertThat(line()).isEmpty();
  }

  @Test
  void fortyClientsThatDoNotHearDelayNoOther() {
    listeners.listen("alive");
    grant("x/1", "x");
    for (int i = 0; i < 40; i++) {
      grantOrWait("dead-" + i + "/1", "dead-" + i);
    }
    grantOrWait("alive/1", "alive");
    assertThat(release("x/1", "x")).endsWith(" 1");
    assertThat(listeners.heard()).containsExactly("alive: lock");
  }

  @Test
  void fortyPlacesWhoseClientsDoNotHearDelayNoOther() {
    listeners.listen("alive");
    fair("x/1", "x", "");
    for (int i = 0; i < 40; i++) {
      fair("dead-" + i + "/1", "dead-" + i, "p1");
    }
    fair("alive/1", "alive", "p1");
    release("x/1", "x");
    assertThat(listeners.heard()).containsExactly("alive: lock");
    assertThat(fair("alive/2", "alive", "p1")).startsWith("GRANTED");
    assertThat(line()).hasSize(40); // they may be between two connections
    server.command("ZADD", waiters(), "1", "dead-0/p1"); // since 1970
    release("alive/2", "alive");
    assertThat(line()).hasSize(39).doesNotContain("dead-0/p1");
  }

  @Test
  void theNextReleaseGoesOnBehindWhatOneReleaseReads() {
    listeners.listen("alive");
    List<?> time = Listeners.list(server.command("TIME"));
    List<String> dead = new ArrayList<>(List.of("ZADD", waiters()));
    for (int i = 0; i < 1_500; i++) {
      dead.addAll(List.of(time.get(0) + String.format("%06d", i), "dead-" + i));
    }
    server.command(dead.toArray(new String[0]));
    grant("x/1", "x");
    grantOrWait("alive/1", "alive");
    assertThat(release("x/1", "x")).endsWith(" 0");
    assertThat(line()).hasSize(477);
    grant("x/2", "x");
    assertThat(release("x/2", "x")).endsWith(" 1");
    assertThat(listeners.heard()).containsExactly("alive: lock");
  }

  @Test
  void whoeverYieldsStandsBehindAllOthers() {
    listeners.listen("a", "b");
    grant("a/1", "a");
    grantOrWait("b/1", "b");
    assertThat(yieldBy("a/1", "a")).endsWith(" 1");
    assertThat(listeners.heard()).containsExactly("b: lock");
    assertThat(line()).containsExactly("a");
  }

  @Test
  void whoeverYieldsToNobodyIsWokenByNobody() {
    listeners.listen("a");
    grant("a/1", "a");
    assertThat(yieldBy("a/1", "a")).startsWith("RELEASED").endsWith(" 0");
    assertThat(listeners.heard()).isEmpty();
  }

  @Test
  void placesAreServedInTheOrderInWhichTheServerSawThem() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    assertThat(fair("a/1", "a", "p1")).startsWith("BUSY");
    assertThat(fair("b/1", "b", "p1")).startsWith("BUSY");
    assertThat(fair("a/2", "a", "p2")).startsWith("BUSY");
    assertThat(fair("b/2", "b", "p1")).startsWith("BUSY"); // asks again, keeps its place
    release("x/1", "x");
    assertThat(fair("b/3", "b", "p1")).startsWith("BUSY"); // it is a's turn
    assertThat(fair("a/3", "a", "p1")).startsWith("GRANTED");
    release("a/3", "a");
    assertThat(fair("a/4", "a", "p2")).startsWith("BUSY");
    assertThat(fair("b/4", "b", "p1")).startsWith("GRANTED");
    release("b/4", "b");
    assertThat(fair("a/5", "a", "p2")).startsWith("GRANTED");
    assertThat(line()).isEmpty();
  }

  @Test
  void aTurnThatPassesUnusedCostsItsClientAllItsPlaces() {
    listeners.listen("hangs", "b");
    fair("x/1", "x", "");
    fair("hangs/1", "hangs", "p1");
    fair("hangs/2", "hangs", "p2");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(remaining(fair("b/2", "b", "p1"))).isBetween(1L, FairLine.TURN_MILLIS);
    await()
        .between(500, TimeUnit.MILLISECONDS, 10, TimeUnit.SECONDS)
        .until(() -> fair("b/3", "b", "p1").startsWith("GRANTED"));
    assertThat(line()).isEmpty();
  }

  @Test
  void aPlaceWhoseClientDoesNotHearDelaysNobody() {
    listeners.listen("b");
    fair("x/1", "x", "");
    fair("dead/1", "dead", "p1");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(fair("b/2", "b", "p1")).startsWith("GRANTED");
  }

  @Test
  void theNextTwoClientsAreToldToStandBy() {
    listeners.listen("a", "b", "c", "d");
    fair("x/1", "x", "");
    for (String client : List.of("a", "b", "c", "d")) {
      fair(client + "/1", client, "p1");
    }
    release("x/1", "x");
    assertThat(listeners.heard())
        .containsExactlyInAnyOrder(
            "a: lock", "b: leasehold:standby:lock", "c: leasehold:standby:lock");
  }

  @Test
  void whoeverLeavesWithItsTurnPassesItOn() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(run(Script.LEAVE.call(lockLineTurn(), "a", "p1"))).startsWith("LEFT");
    assertThat(listeners.heard()).contains("a: lock", "b: lock");
    assertThat(fair("b/2", "b", "p1")).startsWith("GRANTED");
  }

  @Test
  void whoeverIsWokenAndDoesNotWantTheLockPassesItsTurnOn() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(run(Script.WAKE.call(lockLineTurn(), "a"))).startsWith("DONE");
    assertThat(fair("b/2", "b", "p1")).startsWith("GRANTED");
    assertThat(line()).containsExactly("a/p1"); // a call may have taken it just now
  }

  @Test
  void aPlaceThatNobodyWantsAnyMoreIsForgottenWhenItHasItsTurn() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    server.command("ZADD", waiters(), "XX", "1", "a/p1"); // since 1970
    release("x/1", "x");
    assertThat(run(Script.WAKE.call(lockLineTurn(), "a"))).startsWith("DONE");
    assertThat(line()).containsExactly("b/p1");
  }

  @Test
  void anyStandingPlaceOfAClientMayTakeItsTurnAndTheOtherKeepsOne() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    fair("a/2", "a", "p2");
    release("x/1", "x");
    assertThat(fair("a/3", "a", "p2")).startsWith("GRANTED");
    assertThat(line()).containsExactly("b/p1", "a/p1"); // where p2 stood
  }

  @Test
  void aCallThatComesJustNowTakesNobodysTurnNotEvenItsClients() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(fair("a/2", "a", "late")).startsWith("BUSY");
    assertThat(line()).containsExactly("a/p1", "b/p1", "a/late");
    assertThat(fair("a/3", "a", "p1")).startsWith("GRANTED");
  }

  @Test
  void aCallThatComesWhenTheLockIsFreeAndNobodyWasToldIsNotServedFirst() {
    listeners.listen("a");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    server.command("DEL", "lock"); // it ended by itself
    assertThat(fair("a/2", "a", "late")).startsWith("BUSY");
    assertThat(listeners.heard()).containsExactly("a: lock");
    assertThat(fair("a/3", "a", "p1")).startsWith("GRANTED");
  }

  @Test
  void whoeverDoesNotWaitIsServedWhenNobodyElseStandsInLine() {
    listeners.listen("a");
    assertThat(fair("x/1", "x", "")).startsWith("GRANTED");
    fair("a/1", "a", "p1");
    release("x/1", "x");
    assertThat(fair("x/2", "x", "")).startsWith("BUSY");
    assertThat(line()).containsExactly("a/p1");
    assertThat(fair("a/2", "a", "p1")).startsWith("GRANTED");
    release("a/2", "a");
    assertThat(fair("x/3", "x", "")).startsWith("GRANTED");
  }

  @Test
  void aClientThatDoesNotKnowTheLineMayComeFirstAndCostsNobodyItsPlace() {
    listeners.listen("a", "b");
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    fair("b/1", "b", "p1");
    release("x/1", "x");
    assertThat(grant("plain/1", "plain")).startsWith("GRANTED");
    assertThat(fair("a/2", "a", "p1")).startsWith("BUSY"); // came in its turn, in vain
    release("plain/1", "plain");
    assertThat(fair("b/2", "b", "p1")).startsWith("BUSY");
    assertThat(fair("a/3", "a", "p1")).startsWith("GRANTED");
  }

  @Test
  void whatIsLeftBehindEndsByItself() {
    fair("x/1", "x", "");
    fair("a/1", "a", "p1");
    listeners.listen("a");
    release("x/1", "x");
    for (byte[] key : List.of(KEYS.get(Key.WAITERS), KEYS.get(Key.TURN), KEYS.get(Key.FENCE))) {
      assertThat((Long) server.command("PTTL", text(key))).isBetween(1L, 600_000L);
    }
  }

  private String grant(String owner, String client) {
    return grant(owner, client, 0);
  }

  private String grantOrWait(String owner, String client) {
    return grant(owner, client, 1);
  }

  private String grant(String owner, String client, int enter) {
    return run(
        Script.GRANT.call(
            List.of(KEYS.get(Key.LOCK), KEYS.get(Key.FENCE), KEYS.get(Key.WAITERS)),
            owner,
            30_000,
            1,
            Long.MAX_VALUE >> 10,
            600_000,
            client,
            enter));
  }

  private String fair(String owner, String client, String place) {
    return run(
        Script.FAIR.call(
            List.of(
                KEYS.get(Key.LOCK), KEYS.get(Key.FENCE), KEYS.get(Key.WAITERS), KEYS.get(Key.TURN)),
            owner,
            30_000,
            1,
            Long.MAX_VALUE >> 10,
            600_000,
            client,
            place));
  }

  private String release(String owner, String client) {
    return release(owner, client, 0);
  }

  private String yieldBy(String owner, String client) {
    return release(owner, client, 1);
  }

  private String release(String owner, String client, int yielding) {
    return run(
        Script.RELEASE.call(
            List.of(
                KEYS.get(Key.LOCK),
                KEYS.get(Key.WAITERS),
                KEYS.get(Key.TURN),
                KEYS.get(Key.FORCED)),
            owner,
            client,
            yielding));
  }

  private static List<byte[]> lockLineTurn() {
    return List.of(KEYS.get(Key.LOCK), KEYS.get(Key.WAITERS), KEYS.get(Key.TURN));
  }

  private String run(ScriptCall call) {
    return ScriptOnServer.call(server, call);
  }

  private List<String> line() {
    return Listeners.list(server.command("ZRANGE", waiters(), "0", "-1")).stream()
        .map(String::valueOf)
        .toList();
  }

  private static String waiters() {
    return text(KEYS.get(Key.WAITERS));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static long remaining(String busy) {
    assertThat(busy).startsWith("BUSY");
    return Long.parseLong(busy.substring(busy.lastIndexOf(' ') + 1));
  }
}
