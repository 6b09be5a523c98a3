package io.leasehold.redis;

import static io.leasehold.redis.Asker.TTL;
import static io.leasehold.redis.Asker.cause;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.testkit.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Read-write locks on a real server: many readers, or one writer. */
@ParameterizedClass
@EnumSource(RedisVersion.class)
class ReadWriteTest {
  private static final LockKeys KEYS = LockKeys.of("lock", false);
  private static final String READ = OnServer.text(KEYS.get(Key.READING));
  private static final String WRITE = OnServer.text(KEYS.get(Key.WRITING));
  private static final long SECOND = 1_000_000;
  private static final Duration SOON = Duration.ofSeconds(5);

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
  void manyReadTogetherAndOneWritesAlone() {
    reader("a").granted("a-1");
    reader("b").granted("b-1");
    assertThat(writer("c").ask("c-1")).isInstanceOf(Busy.class);
    assertThat(reader("a").released("a-1")).isTrue();
    assertThat(writer("c").ask("c-2")).isInstanceOf(Busy.class);
    assertThat(reader("b").released("b-1")).isTrue();
    writer("c").granted("c-3");
    assertThat(reader("a").ask("a-2")).isInstanceOf(Busy.class);
    assertThat(writer("b").ask("b-2")).isInstanceOf(Busy.class);
    assertThat(writer("c").released("c-3")).isTrue();
    reader("a").granted("a-3");
  }

  @Test
  void aPlainLockOfTheSameNameIsAnother() {
    on.lock("a", "lock").granted("a-1");
    writer("b").granted("b-1");
    assertThat(on.lock("a", "lock").released("a-1")).isTrue();
    assertThat(writer("b").extend("b-1", TTL)).isInstanceOf(Extended.class);
  }

  @Test
  void tokensGrowWithEveryGrantOnEitherSide() {
    long first = reader("a").granted("a-1");
    long second = reader("b").granted("b-1");
    long again = reader("a").granted("a-1"); // a replay
    assertThat(List.of(first, second, again)).isSorted().doesNotHaveDuplicates();
    reader("a").released("a-1");
    reader("b").released("b-1");
    long writes = writer("c").granted("c-1");
    long writesAgain = writer("c").granted("c-1");
    writer("c").released("c-1");
    long last = reader("a").granted("a-2");
    assertThat(List.of(again, writes, writesAgain, last)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void eachReaderEndsOnItsOwn() {
    reader("dead").granted("dead-1", 300);
    reader("a").granted("a-1", 300);
    await()
        .atMost(SOON)
        .until(
            () -> {
              assertThat(reader("a").extend("a-1", 300)).isInstanceOf(Extended.class);
              return owners(reader("x").inspect()).equals(List.of("a-1"));
            });
    assertThat(cause(reader("dead").extend("dead-1", TTL))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(cause(reader("dead").release("dead-1"))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(writer("w").ask("w-1")).isInstanceOf(Busy.class);
    await().atMost(SOON).until(() -> writer("w").ask("w-2") instanceof Granted);
  }

  @Test
  void theLongestReaderIsNotEndedByAShorterOne() {
    reader("a").granted("a-1", 20_000);
    reader("b").granted("b-1", 1_000);
    reader("b").extend("b-1", 500);
    assertThat((Long) on.server.command("PTTL", OnServer.text(KEYS.get(Key.READERS))))
        .isBetween(19_000L, 20_100L);
    assertThat(((Busy) writer("w").ask("w-1")).remainingMillis()).isBetween(19_000L, 20_000L);
  }

  @Test
  void aWriterThatWaitsKeepsNewReadersOutAndOneThatDoesNotWaitDoesNot() {
    reader("a").granted("a-1");
    assertThat(writer("w").ask("w-1")).isInstanceOf(Busy.class);
    reader("b").granted("b-1");
    Busy waits = (Busy) writer("w").askOrWait("w-2");
    assertThat(waits.remainingMillis()).isBetween(1L, ReadWriteLocks.WRITER_WAITS_MILLIS / 2);
    Busy out = (Busy) reader("c").ask("c-1");
    assertThat(out.remainingMillis()).isBetween(1L, ReadWriteLocks.WRITER_WAITS_MILLIS);
    assertThat(reader("a").extend("a-1", TTL)).isInstanceOf(Extended.class);
    reader("a").granted("a-1"); // a replay is no new reader
  }

  @Test
  void aWriterThatDiedWhileItWaitedDelaysReadersForNoLongerThanThat() {
    reader("a").granted("a-1");
    writer("w").askOrWait("w-1");
    assertThat(reader("b").ask("b-1")).isInstanceOf(Busy.class);
    assertThat((Long) on.server.command("PTTL", OnServer.text(KEYS.get(Key.PENDING))))
        .isBetween(1L, ReadWriteLocks.WRITER_WAITS_MILLIS);
    on.server.command("PEXPIRE", OnServer.text(KEYS.get(Key.PENDING)), "1");
    await().atMost(SOON).until(() -> reader("b").ask("b-2") instanceof Granted);
  }

  @Test
  void theLastReaderWakesOneWriter() {
    on.listeners.listen("w", "v", "r");
    reader("a").granted("a-1");
    reader("b").granted("b-1");
    writer("w").askOrWait("w-1");
    writer("v").askOrWait("v-1");
    reader("r").askOrWait("r-1");
    assertThat(((Released) reader("a").release("a-1")).wokeAnother()).isFalse();
    assertThat(on.listeners.heard()).isEmpty();
    assertThat(((Released) reader("b").release("b-1")).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactly("w: " + WRITE);
    writer("w").granted("w-2");
  }

  @Test
  void aWriterThatLeavesLetsThoseReadInWhoWaitAndOnlyThose() {
    on.listeners.listen("r", "s", "v");
    writer("w").granted("w-1");
    reader("r").askOrWait("r-1");
    writer("v").askOrWait("v-1");
    reader("s").askOrWait("s-1");
    assertThat(((Released) writer("w").release("w-1")).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactlyInAnyOrder("r: " + READ, "s: " + READ);
    reader("r").granted("r-2");
    // Whoever comes after the turn is kept out, but not one who stood in line before.
    await().atMost(SOON).until(() -> reader("late").ask("late-1") instanceof Busy);
    reader("s").granted("s-2");
    assertThat(reader("s").ask("s-3")).isInstanceOf(Busy.class);
    reader("r").released("r-2");
    reader("s").released("s-2");
    assertThat(on.listeners.heard()).containsExactly("v: " + WRITE);
    writer("v").granted("v-2");
  }

  @Test
  void inTheTurnOfTheReadersNoWriterIsLetIn() {
    on.listeners.listen("r");
    await()
        .atMost(SOON)
        .until(
            () -> {
              writer("w").granted("w-1");
              reader("r").askOrWait("r-1");
              writer("w").released("w-1");
              return writer("w").ask("w-2") instanceof Busy busy // if the machine is not too slow
                  ? busy.remainingMillis() >= 1 && busy.remainingMillis() <= 20
                  : !writer("w").released("w-2");
            });
    await().atMost(SOON).until(() -> writer("w").ask("w-3") instanceof Granted); // nobody came
  }

  @Test
  void theTurnOfReadersWhoHaveLeftIsOver() {
    on.listeners.listen("r", "v");
    writer("w").granted("w-1");
    writer("v").askOrWait("v-1");
    reader("r").askOrWait("r-1");
    writer("w").released("w-1");
    reader("r").granted("r-2");
    reader("r").released("r-2");
    writer("v").granted("v-2"); // at once
  }

  @Test
  void readersThatDoNotHearAreNotWaitedFor() {
    on.listeners.listen("v");
    writer("w").granted("w-1");
    reader("dead").askOrWait("dead-1");
    writer("v").askOrWait("v-1");
    writer("w").released("w-1");
    assertThat(on.listeners.heard()).containsExactly("v: " + WRITE);
    writer("v").granted("v-2");
    assertThat(on.members(KEYS.get(Key.READING)))
        .containsExactly("dead"); // between two connections
    on.server.command("ZADD", READ, "1", "dead"); // since 1970
    writer("v").released("v-2");
    assertThat(on.members(KEYS.get(Key.READING))).isEmpty();
  }

  @Test
  void aClientThatWaitsOnBothSidesKeepsItsOtherPlace() {
    writer("w").granted("w-1");
    reader("a").askOrWait("a-1");
    writer("a").askOrWait("a-2");
    writer("w").released("w-1");
    writer("a").granted("a-3");
    assertThat(on.members(KEYS.get(Key.WRITING))).isEmpty();
    assertThat(on.members(KEYS.get(Key.READING))).containsExactly("a");
    writer("a").released("a-3");
    writer("w").granted("w-2");
    writer("a").askOrWait("a-4");
    writer("w").released("w-2");
    reader("a").granted("a-5");
    assertThat(on.members(KEYS.get(Key.READING))).isEmpty();
    assertThat(on.members(KEYS.get(Key.WRITING))).containsExactly("a");
  }

  @Test
  void aWriterBecomesAReaderInOneStep() {
    on.listeners.listen("r", "v");
    long token = writer("w").granted("w-1");
    reader("r").askOrWait("r-1");
    writer("v").askOrWait("v-1");
    Granted down = (Granted) reader("w").transfer("w-1", "w-2");
    assertThat(down.token()).isGreaterThan(token);
    assertThat(down.othersWaiting()).isEqualTo(1);
    assertThat(on.listeners.heard()).containsExactly("r: " + READ);
    assertThat(owners(reader("w").inspect())).containsExactly("w-2");
    assertThat(writer("w").inspect().holder()).isEmpty();
    assertThat(writer("v").askOrWait("v-2")).isInstanceOf(Busy.class);
    reader("r").granted("r-2");
    Granted again = (Granted) reader("w").transfer("w-1", "w-2"); // a replay
    assertThat(again.token()).isGreaterThan(down.token());
    assertThat(cause(writer("w").release("w-1"))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(reader("w").released("w-2")).isTrue();
  }

  @Test
  void whoeverDoesNotWriteCannotBecomeAReaderLikeThat() {
    assertThat(cause(reader("w").transfer("w-1", "w-2"))).isEqualTo(NotHeld.Cause.ABSENT);
    writer("v").granted("v-1");
    assertThat(cause(reader("w").transfer("w-1", "w-2"))).isEqualTo(NotHeld.Cause.TAKEN);
    assertThat(reader("w").inspect().holders()).isEmpty();
  }

  @Test
  void theFenceIsRaisedOnlyByWhoeverIsIn() {
    long written = writer("w").granted("w-0");
    writer("w").released("w-0");
    long token = reader("a").granted("a-1");
    assertThat(reader("b").raise("b-1", token + SECOND)).isInstanceOf(Refused.class);
    assertThat(((Refused) reader("a").raise("a-1", written)).fence()).isEqualTo(token);
    assertThat(reader("a").raise("a-1", token + SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("a").raise("a-1", token + SECOND)).isInstanceOf(Raised.class); // a replay
    assertThat(reader("b").granted("b-1")).isGreaterThan(token + SECOND);
    reader("a").released("a-1");
    assertThat(reader("a").raise("a-1", token + 2 * SECOND)).isInstanceOf(Refused.class);
    reader("b").released("b-1");
    long writes = writer("w").granted("w-1");
    assertThat(writer("w").raise("w-1", writes + SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("w").inspect().fence()).isEqualTo(writes + SECOND);
  }

  @Test
  void thatAnotherReaderLiftedTheFenceIsNoReasonToRefuse() {
    reader("a").granted("a-1");
    long token = reader("b").granted("b-1");
    assertThat(reader("b").raise("b-1", token + 2 * SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("a").raise("a-1", token + SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("a").inspect().fence()).as("never down").isEqualTo(token + 2 * SECOND);
    reader("a").released("a-1");
    reader("b").released("b-1");
    assertThat(writer("w").granted("w-1")).isGreaterThan(token + 2 * SECOND);
    writer("w").released("w-1");
    reader("a").granted("a-2");
    assertThat(reader("a").raise("a-2", token + SECOND)).as("a writer").isInstanceOf(Refused.class);
  }

  @Test
  void afterADowngradeReadersRaiseOnlyAboveTheWriter() {
    long written = writer("w").granted("w-1");
    assertThat(writer("w").raise("w-1", written + 2 * SECOND)).isInstanceOf(Raised.class);
    long reads = ((Granted) reader("w").transfer("w-1", "r-1")).token();
    reader("a").granted("a-1");
    assertThat(reader("a").raise("a-1", reads + 2 * SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("w").raise("r-1", reads + SECOND)).isInstanceOf(Raised.class);
    assertThat(reader("w").raise("r-1", written + SECOND)).isInstanceOf(Refused.class);
  }

  @Test
  void anOperatorEndsAllReadersAndEachLearnsWhy() {
    on.listeners.listen("w");
    assertThat(cause(reader("x").force())).isEqualTo(NotHeld.Cause.ABSENT);
    reader("a").granted("a-1");
    reader("b").granted("b-1");
    writer("w").askOrWait("w-1");
    assertThat(((Released) reader("x").force()).wokeAnother()).isTrue();
    assertThat(on.listeners.heard()).containsExactly("w: " + WRITE);
    writer("w").granted("w-2");
    assertThat(cause(reader("a").extend("a-1", TTL))).isEqualTo(NotHeld.Cause.FORCED);
    assertThat(cause(reader("b").release("b-1"))).isEqualTo(NotHeld.Cause.FORCED);
    assertThat(cause(reader("c").release("c-1"))).isEqualTo(NotHeld.Cause.ABSENT);
    assertThat(on.keysWithoutExpiry()).isEmpty();
  }

  @Test
  void anOperatorEndsTheWriterWhoLearnsWhy() {
    on.listeners.listen("r");
    assertThat(cause(writer("x").force())).isEqualTo(NotHeld.Cause.ABSENT);
    writer("w").granted("w-1");
    reader("r").askOrWait("r-1");
    assertThat(writer("x").force()).isInstanceOf(Released.class);
    assertThat(on.listeners.heard()).containsExactly("r: " + READ);
    reader("r").granted("r-2");
    assertThat(cause(writer("w").extend("w-1", TTL))).isEqualTo(NotHeld.Cause.FORCED);
    assertThat(cause(writer("w").release("w-1"))).isEqualTo(NotHeld.Cause.FORCED);
  }

  @Test
  void aWakeUpThatNobodyWantsIsPassedOn() {
    on.listeners.listen("w", "v");
    reader("a").granted("a-1");
    writer("w").askOrWait("w-1");
    writer("v").askOrWait("v-1");
    reader("a").released("a-1");
    assertThat(on.listeners.heard()).containsExactly("w: " + WRITE);
    on.run(Kind.WRITE.passOn(KEYS, Requests.bytes("w")));
    assertThat(on.listeners.heard()).containsExactly("v: " + WRITE);
  }

  @Test
  void theLastWriterThatWantsItNoMoreLetsTheReadersIn() {
    on.listeners.listen("w", "r");
    reader("a").granted("a-1");
    writer("w").askOrWait("w-1");
    reader("r").askOrWait("r-1");
    reader("a").released("a-1");
    on.run(Kind.WRITE.passOn(KEYS, Requests.bytes("w")));
    assertThat(on.listeners.heard()).containsExactly("w: " + WRITE, "r: " + READ);
    reader("r").granted("r-2");
    reader("s").granted("s-1");
  }

  @Test
  void theLastWriterThatGivesUpLetsReadersInBesideThoseThatRead() {
    on.listeners.listen("r");
    reader("a").granted("a-1");
    writer("w").askOrWait("w-1");
    reader("r").askOrWait("r-1");
    on.server.command("ZREM", WRITE, "w");
    on.run(Kind.WRITE.passOn(KEYS, Requests.bytes("w")));
    assertThat(on.listeners.heard()).containsExactly("r: " + READ);
    reader("r").granted("r-2");
  }

  @Test
  void threeHundredReadersThatDoNotHearDelayNoOther() {
    on.listeners.listen("r");
    writer("a").granted("a-1");
    for (int i = 0; i < 300; i++) {
      on.server.command("ZADD", READ, Integer.toString(i), "dead-" + i);
    }
    reader("r").askOrWait("r-1");
    writer("a").released("a-1");
    assertThat(on.listeners.heard()).containsExactly("r: " + READ);
  }

  @Test
  void aReaderThatWantsItNoMoreWakesAWriterAndLosesItsOldPlace() {
    on.listeners.listen("w", "r");
    writer("a").granted("a-1");
    reader("r").askOrWait("r-1");
    writer("w").askOrWait("w-1");
    on.server.command("ZADD", READ, "1", "r"); // since 1970
    writer("a").released("a-1");
    on.run(Kind.READ.passOn(KEYS, Requests.bytes("r")));
    assertThat(on.listeners.heard()).containsExactly("w: " + WRITE, "r: " + READ);
    assertThat(on.members(KEYS.get(Key.READING))).isEmpty();
  }

  @Test
  void whileItsSlotMovesWhatIsHeldIsExtendedAndReleasedOnItsOwnKey() {
    reader("a").granted("a-1");
    reader("b").granted("b-1");
    KindNode readers =
        (KindNode) on.client("a").offer(ReadWriteLocks.class).orElseThrow().readers();
    List<byte[]> keys =
        List.of(KEYS.get(Key.READERS), KEYS.get(Key.FORCED_READERS), KEYS.get(Key.RW_FENCE));
    assertThat(on.run(Script.EXTEND_SHARE.call(keys, 600_000, "a-1", 10_000).alone()))
        .endsWith("EXTENDED");
    assertThat(on.run(Script.EXTEND_SHARE.call(keys, 600_000, "c-1", 10_000).alone()))
        .endsWith("ABSENT");
    assertThat((Long) on.server.command("PTTL", OnServer.text(KEYS.get(Key.READERS))))
        .isBetween(20_000L, TTL + 10);
    ScriptCall release = readers.releaseCall(KEYS, new ReleaseRequest("lock", "a-1")).alone();
    assertThat(on.run(release)).startsWith("RELEASED");
    assertThat(on.run(release)).startsWith("ABSENT");
    assertThat(on.members(KEYS.get(Key.READERS))).containsExactly("b-1");
    reader("b").released("b-1");
    writer("w").granted("w-1");
    ScriptCall end =
        ((KindNode) on.client("a").offer(ReadWriteLocks.class).orElseThrow().writers())
            .releaseCall(KEYS, new ReleaseRequest("lock", "w-1"))
            .alone();
    assertThat(on.run(end)).startsWith("RELEASED");
    assertThat(on.run(end)).startsWith("ABSENT");
  }

  @Test
  void whoeverYieldsStandsInLineAgain() {
    reader("a").granted("a-1");
    reader("a").yieldIt("a-1");
    assertThat(on.members(KEYS.get(Key.READING))).containsExactly("a");
    writer("w").granted("w-1");
    writer("v").askOrWait("v-1");
    writer("w").yieldIt("w-1");
    assertThat(on.members(KEYS.get(Key.WRITING))).containsExactly("v", "w");
  }

  @Test
  void whatIsLeftBehindEndsByItself() {
    reader("a").granted("a-1");
    writer("w").askOrWait("w-1");
    reader("b").askOrWait("b-1");
    reader("a").released("a-1");
    writer("v").granted("v-1");
    writer("v").force();
    reader("b").granted("b-2");
    reader("b").force();
    assertThat(on.keys()).hasSizeGreaterThan(3);
    assertThat(on.keysWithoutExpiry()).isEmpty();
  }

  @Test
  void aRequestThatComesTooLateGrantsNothing() {
    for (Asker asker : List.of(reader("a"), writer("a"))) {
      assertThat(asker.askNotAfter("a-1", 1)).isInstanceOf(Expired.class);
      assertThat(asker.inspect().holders()).isEmpty();
    }
  }

  @Test
  void aServerThatMayHaveLostLeasesGrantsNothing() {
    ReadWriteLocks locks = on.open("g", "?guard=on").offer(ReadWriteLocks.class).orElseThrow();
    assertThat(new Asker(locks.readers(), "lock").ask("g-1")).isInstanceOf(Guarded.class);
    assertThat(new Asker(locks.writers(), "lock").ask("g-2")).isInstanceOf(Guarded.class);
    writer("w").granted("w-1"); // by a client without a guard
    assertThat(new Asker(locks.readers(), "lock").transfer("w-1", "w-2"))
        .isInstanceOf(Guarded.class);
    assertThat(writer("w").inspect().holder()).isEmpty();
    assertThat(reader("w").inspect().holders()).isEmpty();
  }

  @Test
  void anInspectionTellsWhoReadsAndForHowLong() {
    reader("a").granted("a-1", 20_000);
    long token = reader("b").granted("b-1", 10_000);
    reader("gone").granted("gone-1", 1);
    writer("w").askOrWait("w-1");
    reader("c").askOrWait("c-1");
    await().atMost(SOON).until(() -> reader("x").inspect().holders().size() == 2);
    Inspection seen = reader("x").inspect();
    assertThat(owners(seen)).containsExactlyInAnyOrder("a-1", "b-1");
    assertThat(seen.holders()).anyMatch(h -> h.remainingMillis() > 10_000);
    assertThat(seen.fence()).isGreaterThan(token);
    assertThat(seen.waiters()).isEqualTo(1);
    assertThat(writer("x").inspect().waiters()).isEqualTo(1);
  }

  private Asker reader(String client) {
    return on.reader(client, "lock");
  }

  private Asker writer(String client) {
    return on.writer(client, "lock");
  }

  private static List<String> owners(Inspection seen) {
    return seen.holders().stream().map(Inspection.Holder::owner).toList();
  }
}
