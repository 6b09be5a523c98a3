package io.leasehold.redis;

import static io.leasehold.redis.Asker.TTL;
import static io.leasehold.redis.Asker.cause;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Released;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.testkit.RedisVersion;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Several locks at once, on a real server. */
@ParameterizedClass
@EnumSource(RedisVersion.class)
class SetTest {
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
  void allOrNone() {
    long token = set("s", "a", "b").granted("s-1");
    assertThat(lock("x", "a").ask("x-1")).isInstanceOf(Busy.class);
    assertThat(lock("x", "b").ask("x-2")).isInstanceOf(Busy.class);
    assertThat(lock("x", "a").inspect().fence()).isEqualTo(token);
    assertThat(lock("x", "b").inspect().fence()).isEqualTo(token);
    assertThat(set("t", "c", "b").ask("t-1")).isInstanceOf(Busy.class);
    assertThat(lock("x", "c").inspect().holder()).isEmpty();
    assertThat(set("s", "b", "a").released("s-1")).isTrue(); // in any order
    assertThat(on.keys()).noneMatch(List.of("a", "b", "c")::contains);
  }

  @Test
  void oneTokenAboveEveryEarlierOneOfEach() {
    long a = lock("x", "a").granted("x-1");
    assertThat(lock("x", "a").raise("x-1", a + 2 * SECOND)).isInstanceOf(Raised.class);
    lock("x", "a").released("x-1");
    long b = lock("x", "b").granted("x-2");
    lock("x", "b").released("x-2");
    long all = set("s", "a", "b").granted("s-1");
    assertThat(all).isGreaterThan(a + 2 * SECOND).isGreaterThan(b);
    assertThat(set("s", "a", "b").granted("s-1")).isGreaterThan(all); // a replay
    set("s", "a", "b").released("s-1");
    assertThat(lock("x", "b").granted("x-3")).isGreaterThan(all);
  }

  @Test
  void aPartThatIsLostIsTheLossOfAllAndTheRestIsStillExtendedAndReleased() {
    set("s", "a", "b", "c").granted("s-1");
    on.server.command("DEL", "b");
    assertThat(cause(set("s", "a", "b", "c").extend("s-1", 90_000)))
        .isEqualTo(NotHeld.Cause.ABSENT);
    assertThat((Long) on.server.command("PTTL", "a")).isGreaterThan(TTL);
    assertThat((Long) on.server.command("PTTL", "c")).isGreaterThan(TTL);
    lock("x", "b").granted("x-1");
    assertThat(cause(set("s", "a", "b", "c").release("s-1"))).isEqualTo(NotHeld.Cause.TAKEN);
    assertThat(lock("x", "a").inspect().holder()).isEmpty();
    assertThat(lock("x", "c").inspect().holder()).isEmpty();
    assertThat(lock("x", "b").extend("x-1", TTL)).isInstanceOf(Extended.class);
  }

  @Test
  void anOperatorsReasonReachesTheOwnerOfAll() {
    set("s", "a", "b").granted("s-1");
    lock("x", "b").force();
    assertThat(cause(set("s", "a", "b").extend("s-1", TTL))).isEqualTo(NotHeld.Cause.FORCED);
    assertThat(cause(set("s", "a", "b").release("s-1"))).isEqualTo(NotHeld.Cause.FORCED);
  }

  @Test
  void whoeverWaitsStandsInTheLineOfTheFirstThatIsBusy() {
    on.listeners.listen("s");
    lock("x", "b").granted("x-1");
    lock("x", "c").granted("x-2");
    assertThat(((Busy) set("s", "a", "b", "c").askOrWait("s-1")).remainingMillis())
        .isBetween(1L, TTL);
    assertThat(line("a")).isEmpty();
    assertThat(line("b")).hasSize(1);
    assertThat(line("c")).isEmpty();
    assertThat(((Released) lock("x", "b").release("x-1")).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactly("s: b");
    set("s", "a", "b", "c").askOrWait("s-2");
    assertThat(line("c")).hasSize(1);
    lock("x", "c").released("x-2");
    set("s", "a", "b", "c").granted("s-3");
    assertThat(line("b")).isEmpty();
    assertThat(line("c")).isEmpty();
  }

  @Test
  void whatItWasWokenForInVainIsPassedOn() {
    on.listeners.listen("s", "y");
    lock("x", "a").granted("x-1");
    lock("x", "b").granted("x-2");
    set("s", "a", "b").askOrWait("s-1");
    lock("y", "a").askOrWait("y-1");
    lock("x", "a").released("x-1");
    assertThat(on.listeners.heard()).containsExactly("s: a");
    assertThat(set("s", "a", "b").askOrWait("s-2")).isInstanceOf(Busy.class); // b is not free
    assertThat(on.listeners.heard()).containsExactly("y: a");
    assertThat(line("a")).isEmpty();
  }

  @Test
  void aTurnInAFairLineIsLeftAlone() {
    on.listeners.listen("y");
    lock("x", "a").granted("x-1");
    lock("z", "b").granted("z-1");
    assertThat(lock("y", "a").askFair("y-1", "1")).isInstanceOf(Busy.class);
    lock("x", "a").released("x-1");
    String turn = OnServer.text(LockKeys.of("a", false).get(Key.TURN));
    Object before = on.server.command("GET", turn);
    assertThat(before).asString().endsWith(" y/1");
    assertThat(set("s", "a", "b").askOrWait("s-1")).isInstanceOf(Busy.class);
    assertThat(on.server.command("GET", turn)).isEqualTo(before);
    assertThat(on.listeners.heard()).containsExactly("y: a"); // once
  }

  @Test
  void itsOwnPlaceInALineThatHasBecomeFreeIsGivenUp() {
    lock("x", "a").granted("x-1");
    set("s", "a", "b").askOrWait("s-1");
    on.server.command("DEL", "a"); // it ended by itself
    lock("x", "b").granted("x-2");
    set("s", "a", "b").askOrWait("s-2");
    assertThat(line("a")).isEmpty();
    assertThat(line("b")).hasSize(1);
  }

  @Test
  void aCallOfTheSameClientForOneOfThemOrForAnotherSetLeavesItsPlace() {
    lock("x", "a").granted("x-1");
    set("s", "a", "b").askOrWait("s-1");
    set("s", "a", "c").askOrWait("s-2");
    lock("s", "a").askOrWait("s-3");
    assertThat(line("a")).hasSize(3);
    lock("x", "a").released("x-1");
    assertThat(lock("s", "a").askOrWait("s-4")).isInstanceOf(Granted.class);
    assertThat(line("a")).hasSize(2);
    lock("s", "a").released("s-4");
    set("s", "a", "c").granted("s-5");
    assertThat(line("a")).hasSize(1);
  }

  @Test
  void aReleaseWakesTheNextForEach() {
    on.listeners.listen("y", "z");
    set("s", "a", "b").granted("s-1");
    lock("y", "a").askOrWait("y-1");
    lock("z", "b").askOrWait("z-1");
    assertThat(((Released) set("s", "a", "b").release("s-1")).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactlyInAnyOrder("y: a", "z: b");
  }

  @Test
  void whoeverYieldsStandsBehindThoseWhoWereWoken() {
    on.listeners.listen("z");
    set("s", "a", "b").granted("s-1");
    lock("z", "b").askOrWait("z-1");
    set("s", "a", "b").yieldIt("s-1");
    assertThat(line("a")).isEmpty();
    assertThat(line("b")).hasSize(1);
  }

  @Test
  void lateAndGuardedRequestsGrantNothing() {
    assertThat(set("s", "a", "b").askNotAfter("s-1", 1)).isInstanceOf(Expired.class);
    SeveralLocks guarded = on.open("g", "?guard=on").offer(SeveralLocks.class).orElseThrow();
    assertThat(new Asker(guarded.all(List.of("a", "b")), "").ask("g-1"))
        .isInstanceOf(Guarded.class);
    assertThat(on.keys()).noneMatch(List.of("a", "b")::contains);
  }

  @Test
  void aDamagedFenceOfOneLeavesAllAsTheyWere() {
    on.server.command("SET", OnServer.text(LockKeys.of("b", false).get(Key.FENCE)), "damaged");
    assertThat(set("s", "a", "b").ask("s-1")).isNotInstanceOf(Granted.class);
    assertThat(lock("x", "a").inspect().holder()).isEmpty();
    assertThat(lock("x", "a").inspect().fence()).isZero();
  }

  @Test
  void whatIsLeftBehindEndsByItself() {
    set("s", "a", "b").granted("s-1");
    set("t", "b", "c").askOrWait("t-1");
    set("s", "a", "b").released("s-1");
    assertThat(on.keys()).hasSize(3);
    assertThat(on.keysWithoutExpiry()).isEmpty();
  }

  @Test
  void noneTooManyOrOneTwiceIsRefused() {
    SeveralLocks locks = on.client("s").offer(SeveralLocks.class).orElseThrow();
    for (List<String> names :
        List.of(List.<String>of(), List.of("a", "a"), Collections.nCopies(65, "a"))) {
      assertThatThrownBy(() -> locks.all(names)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private Asker lock(String client, String name) {
    return on.lock(client, name);
  }

  private Asker set(String client, String... names) {
    return on.all(client, names);
  }

  private List<String> line(String name) {
    return on.members(LockKeys.of(name, false).get(Key.WAITERS));
  }
}
