package io.leasehold.redis;

import static io.leasehold.redis.Asker.TTL;
import static io.leasehold.redis.Asker.cause;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.testkit.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Semaphores on a real server. */
@ParameterizedClass
@EnumSource(RedisVersion.class)
class PermitsTest {
  private static final LockKeys KEYS = LockKeys.of("sem", false);
  private static final String WAKE = OnServer.text(KEYS.get(Key.PERMITS_WAITERS));
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long SECOND = 1_000_000;

  @Parameter RedisVersion version = RedisVersion.V7_0;

  @SuppressWarnings("NullAway.Init")
  private OnServer on;

  @BeforeEach
  void start() {
    on = new OnServer(version);
  }

  @AfterEach
  void stop() {
    on.close();
  }

  @Test
  void soManyAndNotOneMore() {
    long first = sem("a").granted("a-1");
    long second = sem("a").granted("a-2");
    assertThat(second).isGreaterThan(first);
    assertThat(sem("b").ask("b-1")).isInstanceOf(Busy.class);
    assertThat(sem("a").granted("a-1")).isGreaterThan(second); // a replay is no third
    assertThat(sem("a").released("a-2")).isTrue();
    sem("b").granted("b-2");
    assertThat(cause(sem("a").release("a-2"))).isEqualTo(NotHeld.Cause.ABSENT);
    on.lock("c", "sem").granted("c-1"); // another one
  }

  @Test
  void aPermitComesBackWhenItsHolderDies() {
    sem("dead").granted("dead-1", 400);
    sem("a").granted("a-1", 20_000);
    Busy busy = (Busy) sem("b").ask("b-1");
    assertThat(busy.remainingMillis()).isBetween(1L, 400L);
    await().atMost(SOON).until(() -> sem("b").ask("b-2") instanceof Granted);
    assertThat(cause(sem("dead").extend("dead-1", TTL))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(sem("a").extend("a-1", 10_000)).isInstanceOf(Extended.class);
    assertThat(owners(sem("x").inspect())).containsExactlyInAnyOrder("a-1", "b-2");
  }

  @Test
  void theNumberIsTheAskersAndTakesNothingAway() {
    sem("a").granted("a-1");
    sem("a").granted("a-2");
    on.permits("b", "sem", 3).granted("b-1");
    assertThat(on.permits("c", "sem", 1).ask("c-1")).isInstanceOf(Busy.class);
    assertThat(sem("a").extend("a-1", TTL)).isInstanceOf(Extended.class);
    sem("a").released("a-1");
    assertThat(sem("c").ask("c-2")).isInstanceOf(Busy.class);
    sem("a").released("a-2");
    sem("c").granted("c-3");
  }

  @Test
  void aReleaseWakesTheOneThatHasWaitedLongest() {
    on.listeners.listen("c", "d");
    sem("a").granted("a-1");
    sem("b").granted("b-1");
    assertThat(sem("c").askOrWait("c-1")).isInstanceOf(Busy.class);
    assertThat(sem("d").askOrWait("d-1")).isInstanceOf(Busy.class);
    assertThat(((Released) sem("a").release("a-1")).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactly("c: " + WAKE);
    assertThat(((Granted) sem("c").ask("c-2")).othersWaiting()).isEqualTo(1);
    assertThat(on.listeners.heard()).isEmpty(); // no more permits
  }

  @Test
  void whoeverIsServedWakesTheNextWhileThereAreMore() {
    on.listeners.listen("d");
    sem("a").granted("a-1", 1);
    sem("b").granted("b-1", 1);
    on.server.command("ZADD", WAKE, "1", "c", "2", "d"); // who waited when both died
    await().atMost(SOON).until(() -> sem("x").inspect().holders().isEmpty());
    sem("c").granted("c-1");
    assertThat(on.listeners.heard()).containsExactly("d: " + WAKE);
  }

  @Test
  void aWakeUpThatNobodyWantsIsPassedOn() {
    on.listeners.listen("c", "d");
    sem("a").granted("a-1");
    sem("a").granted("a-2");
    sem("c").askOrWait("c-1");
    sem("d").askOrWait("d-1");
    sem("a").released("a-1");
    assertThat(on.listeners.heard()).containsExactly("c: " + WAKE);
    on.run(Kind.PERMIT.passOn(KEYS, Requests.bytes("c")));
    assertThat(on.listeners.heard()).containsExactly("d: " + WAKE);
  }

  @Test
  void whoeverYieldsStandsBehindAllOthers() {
    sem("a").granted("a-1");
    sem("a").granted("a-2");
    sem("b").askOrWait("b-1");
    sem("a").yieldIt("a-1");
    assertThat(on.members(KEYS.get(Key.PERMITS_WAITERS))).containsExactly("b", "a");
  }

  @Test
  void anOperatorTakesAllAndEachOwnerLearnsWhy() {
    assertThat(cause(sem("x").force())).isEqualTo(NotHeld.Cause.ABSENT);
    for (int i = 0; i < 1_200; i++) { // more than one step of the script
      on.server.command(
          "ZADD", OnServer.text(KEYS.get(Key.HOLDERS)), now() + 20 * SECOND + "", "o-" + i);
    }
    assertThat(sem("x").force()).isInstanceOf(Released.class);
    for (String owner : List.of("o-0", "o-499", "o-500", "o-1199")) {
      assertThat(cause(sem("a").extend(owner, TTL))).isEqualTo(NotHeld.Cause.FORCED);
    }
    assertThat(cause(sem("a").release("o-7"))).isEqualTo(NotHeld.Cause.FORCED);
    assertThat(cause(sem("a").release("o-1200"))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(on.keysWithoutExpiry()).isEmpty();
    sem("a").granted("a-1");
  }

  @Test
  void theFenceIsRaisedOnlyByAHolder() {
    long token = sem("a").granted("a-1");
    assertThat(sem("b").raise("b-1", token + SECOND)).isInstanceOf(Refused.class);
    assertThat(sem("a").raise("a-1", token + SECOND)).isInstanceOf(Raised.class);
    assertThat(sem("b").granted("b-1")).isGreaterThan(token + SECOND);
  }

  @Test
  void whileItsSlotMovesAPermitIsExtendedAndGivenBackOnItsOwnKey() {
    sem("a").granted("a-1");
    assertThat(
            on.run(
                Script.EXTEND_SHARE
                    .call(
                        List.of(
                            KEYS.get(Key.HOLDERS),
                            KEYS.get(Key.FORCED_PERMITS),
                            KEYS.get(Key.PERMITS_FENCE)),
                        1,
                        "a-1",
                        9_000)
                    .alone()))
        .endsWith("EXTENDED");
    assertThat((Long) on.server.command("PTTL", OnServer.text(KEYS.get(Key.HOLDERS))))
        .isBetween(8_000L, 9_010L);
    ScriptCall end = view("a").releaseCall(KEYS, new ReleaseRequest("sem", "a-1")).alone();
    assertThat(on.run(end)).startsWith("RELEASED");
    assertThat(on.run(end)).startsWith("ABSENT");
  }

  @Test
  void lateAndGuardedRequestsGrantNothing() {
    assertThat(sem("a").askNotAfter("a-1", 1)).isInstanceOf(Expired.class);
    Semaphores guarded = on.open("g", "?guard=on").offer(Semaphores.class).orElseThrow();
    assertThat(new Asker(guarded.permits(2), "sem").ask("g-1")).isInstanceOf(Guarded.class);
    assertThat(sem("x").inspect().holders()).isEmpty();
  }

  @Test
  void whatIsLeftBehindEndsByItself() {
    sem("a").granted("a-1");
    sem("a").granted("a-2");
    sem("b").askOrWait("b-1");
    sem("x").force();
    sem("b").ask("b-2", TTL, Queueing.NONE);
    assertThat(on.keys()).hasSize(3);
    assertThat(on.keysWithoutExpiry()).isEmpty();
  }

  @Test
  void thereAreNoSemaphoresOfNoneOrTooMany() {
    Semaphores semaphores = on.client("a").offer(Semaphores.class).orElseThrow();
    for (int permits : List.of(-1, 0, Semaphores.MOST_PERMITS + 1)) {
      assertThatThrownBy(() -> semaphores.permits(permits))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private KindNode view(String client) {
    return (KindNode) on.client(client).offer(Semaphores.class).orElseThrow().permits(2);
  }

  private Asker sem(String client) {
    return on.permits(client, "sem", 2);
  }

  private long now() {
    List<?> time = Listeners.list(on.server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0))) * SECOND;
  }

  private static List<String> owners(Inspection seen) {
    return seen.holders().stream().map(Inspection.Holder::owner).toList();
  }
}
