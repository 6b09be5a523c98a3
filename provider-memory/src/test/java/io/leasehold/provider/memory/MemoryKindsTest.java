package io.leasehold.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryKindsTest {
  private static final ClientInfo WHO = new ClientInfo("id", "name", "host", 1);
  private static final long TTL = 20_000;

  private final HandMovedTime clock = new HandMovedTime();
  private final MemorySpace space = new MemorySpace("test", clock);
  private final MemoryNode one = newNode();
  private final MemoryNode two = newNode();
  private final MemoryNode three = newNode();

  private MemoryNode newNode() {
    return new MemoryNode(space, 11_000, clock, WHO, () -> {});
  }

  private static <R> R now(CompletionStage<R> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  private GrantReply ask(LockNode node, String owner, Queueing queueing) {
    return now(
        node.grant(
            new GrantRequest("a", owner, TTL, clock.micros(), GrantRequest.NO_DEADLINE, queueing)));
  }

  private GrantReply ask(LockNode node, String owner) {
    return ask(node, owner, Queueing.NONE);
  }

  private GrantReply await(LockNode node, String owner) {
    return ask(node, owner, Queueing.WAKE);
  }

  private static ReleaseReply release(LockNode node, String owner) {
    return now(node.release(new ReleaseRequest("a", owner)));
  }

  private static ExtendReply extend(LockNode node, String owner) {
    return now(node.extend(List.of(new ExtendRequest("a", owner, TTL)))).get(0);
  }

  /** Counts the wake-ups of a client. */
  private static AtomicInteger watch(LockNode node) {
    AtomicInteger woken = new AtomicInteger();
    assertThat(now(node.watch("a", woken::incrementAndGet))).isInstanceOf(Watching.class);
    return woken;
  }

  @Test
  void readersShareAndAWriterExcludes() {
    assertThat(ask(one.readers(), "r1")).isInstanceOf(Granted.class);
    assertThat(ask(two.readers(), "r2")).isInstanceOf(Granted.class);
    assertThat(ask(three.writers(), "w")).isInstanceOf(Busy.class);
    release(one.readers(), "r1");
    assertThat(ask(three.writers(), "w")).isInstanceOf(Busy.class);
    release(two.readers(), "r2");
    assertThat(ask(three.writers(), "w")).isInstanceOf(Granted.class);
    assertThat(ask(one.readers(), "r3")).isEqualTo(new Busy(TTL, clock.micros()));
    assertThat(ask(one.writers(), "v")).isInstanceOf(Busy.class);
    assertThat(ask(one, "plain")).isInstanceOf(Granted.class);
    assertThat(ask(one.permits(1), "permit")).isInstanceOf(Granted.class);
  }

  private RaiseReply raise(LockNode node, String owner, long token) {
    return now(node.raise(new RaiseRequest("a", owner, token)));
  }

  @Test
  void onlyWritersStandInTheWayOfAReadersRaise() {
    long written = ((Granted) ask(one.writers(), "w")).token();
    assertThat(raise(one.writers(), "w", written + 10)).isInstanceOf(Raised.class);
    assertThat(raise(one.writers(), "w", written + 5)).isInstanceOf(Refused.class);
    release(one.writers(), "w");
    long first = ((Granted) ask(one.readers(), "r1")).token();
    long second = ((Granted) ask(two.readers(), "r2")).token();
    assertThat(first).isGreaterThan(written + 10);
    assertThat(raise(two.readers(), "r2", second + 10)).isInstanceOf(Raised.class);
    assertThat(raise(one.readers(), "r1", second)).isInstanceOf(Raised.class);
    assertThat(raise(one.readers(), "r1", written + 10)).isInstanceOf(Refused.class);
    assertThat(raise(one.readers(), "nobody", second + 20)).isInstanceOf(Refused.class);
    assertThat(((Inspection) now(one.readers().inspect("a"))).fence()).isEqualTo(second + 10);
  }

  @Test
  void aWriterThatWaitsKeepsNewReadersOutUntilItsMarkEnds() {
    watch(two.writers());
    ask(one.readers(), "r1");
    Busy busy = (Busy) await(two.writers(), "w");
    assertThat(busy.remainingMillis()).isLessThan(ReadWriteLocks.WRITER_WAITS_MILLIS);
    assertThat(ask(three.readers(), "r2"))
        .isEqualTo(new Busy(ReadWriteLocks.WRITER_WAITS_MILLIS, clock.micros()));
    clock.advance(Duration.ofMillis(ReadWriteLocks.WRITER_WAITS_MILLIS));
    assertThat(ask(three.readers(), "r2")).isInstanceOf(Granted.class);
  }

  @Test
  void aWriterThatGivesUpLetsReadersInAtOnce() {
    Watching writer = (Watching) now(two.writers().watch("a", () -> {}));
    AtomicInteger reader = watch(three.readers());
    ask(one.readers(), "r1");
    await(two.writers(), "w");
    await(three.readers(), "r2");
    writer.watch().close();
    assertThat(reader).hasValue(1);
    assertThat(ask(three.readers(), "r2")).isInstanceOf(Granted.class);
  }

  @Test
  void afterAWriterComeTheReadersWhoWaitedWhateverWriterWaits() {
    watch(two.writers());
    AtomicInteger reader = watch(three.readers());
    ask(one.writers(), "w1");
    await(two.writers(), "w2");
    await(three.readers(), "r");
    release(one.writers(), "w1");
    assertThat(reader).hasValue(1);
    assertThat(await(two.writers(), "w2")).isInstanceOf(Busy.class);
    assertThat(ask(one.readers(), "new")).isInstanceOf(Busy.class);
    assertThat(ask(three.readers(), "r")).isInstanceOf(Granted.class);
    assertThat(await(two.writers(), "w2")).isInstanceOf(Busy.class);
    release(three.readers(), "r");
    assertThat(ask(two.writers(), "w2")).isInstanceOf(Granted.class);
  }

  @Test
  void readersWhoWereCalledAndDoNotComeHoldAWriterUpForASecond() {
    watch(three.readers());
    ask(one.writers(), "w1");
    await(three.readers(), "r");
    release(one.writers(), "w1");
    assertThat(ask(two.writers(), "w2")).isEqualTo(new Busy(1_000, clock.micros()));
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask(two.writers(), "w2")).isInstanceOf(Granted.class);
  }

  @Test
  void theLastReaderWakesOneWriter() {
    AtomicInteger first = watch(two.writers());
    AtomicInteger second = watch(three.writers());
    ask(one.readers(), "r1");
    ask(one.readers(), "r2");
    await(two.writers(), "w1");
    await(three.writers(), "w2");
    release(one.readers(), "r1");
    assertThat(first.get() + second.get()).isZero();
    release(one.readers(), "r2");
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(0);
  }

  @Test
  void anExtensionIsOneReadersAlone() {
    ask(one.readers(), "r1");
    ask(two.readers(), "r2");
    clock.advance(Duration.ofMillis(TTL - 1));
    assertThat(extend(one.readers(), "r1")).isInstanceOf(Extended.class);
    clock.advance(Duration.ofMillis(1));
    assertThat(extend(two.readers(), "r2")).isInstanceOf(NotHeld.class);
    assertThat(ask(three.writers(), "w")).isInstanceOf(Busy.class);
    clock.advance(Duration.ofMillis(TTL - 1));
    assertThat(ask(three.writers(), "w")).isInstanceOf(Granted.class);
  }

  @Test
  void aDowngradeIsOneStepAndOnlyForTheWriter() {
    long writer = ((Granted) ask(one.writers(), "w")).token();
    assertThat(now(one.readers().transfer(new TransferRequest("a", "x", "r", TTL, 1))))
        .isInstanceOf(NotHeld.class);
    Granted reader =
        (Granted) now(one.readers().transfer(new TransferRequest("a", "w", "r", TTL, 1)));
    assertThat(reader.token()).isGreaterThan(writer);
    assertThat(extend(one.writers(), "w")).isInstanceOf(NotHeld.class);
    assertThat(extend(one.readers(), "r")).isInstanceOf(Extended.class);
    assertThat(ask(two.writers(), "v")).isInstanceOf(Busy.class);
    assertThat(ask(two.readers(), "s")).isInstanceOf(Granted.class);
  }

  @Test
  void permitsAreCountedByTheNumberOfTheOneWhoAsks() {
    assertThat(ask(one.permits(2), "x")).isInstanceOf(Granted.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask(one.permits(2), "y")).isInstanceOf(Granted.class);
    assertThat(ask(one.permits(2), "z")).isEqualTo(new Busy(TTL - 1_000, clock.micros()));
    assertThat(ask(one.permits(1), "z")).isEqualTo(new Busy(TTL, clock.micros()));
    assertThat(ask(one.permits(3), "z")).isInstanceOf(Granted.class);
    release(one.permits(1), "x");
    assertThat(ask(one.permits(2), "x")).isInstanceOf(Busy.class);
    assertThat(extend(one.permits(1), "y")).isInstanceOf(Extended.class);
  }

  @Test
  void aPermitThatComesBackGoesToTheFirstForWhomThereIsRoom() {
    AtomicInteger small = watch(two.permits(1));
    AtomicInteger large = watch(three.permits(2));
    ask(one.permits(2), "x");
    ask(one.permits(2), "y");
    await(two.permits(1), "s");
    await(three.permits(2), "l");
    release(one.permits(2), "x");
    assertThat(small).hasValue(0);
    assertThat(large).hasValue(1);
    three.close();
    release(one.permits(2), "y");
    assertThat(small).hasValue(1);
  }

  @Test
  void aSetIsAllOrNoneWithOneToken() {
    LockNode set = one.all(List.of("b", "a"));
    long before = ((Granted) ask(two, "x")).token();
    assertThat(ask(set, "s")).isInstanceOf(Busy.class);
    assertThat(((Inspection) now(one.inspect("b"))).holder()).isEmpty();
    release(two, "x");
    long token = ((Granted) ask(set, "s")).token();
    assertThat(token).isGreaterThan(before);
    Inspection b = (Inspection) now(one.inspect("b"));
    assertThat(b.fence()).isEqualTo(token);
    assertThat(b.holder().orElseThrow().client()).isEqualTo(Optional.of(WHO));
    assertThat(ask(two, "y")).isInstanceOf(Busy.class);
    now(one.release(new ReleaseRequest("b", "s")));
    assertThat(extend(set, "s")).isInstanceOf(NotHeld.class);
    assertThat(release(set, "s")).isInstanceOf(NotHeld.class);
    assertThat(((Granted) ask(two, "y")).token()).isGreaterThan(token);
  }

  @Test
  void whatASetWasWokenForInVainIsPassedOn() {
    LockNode set = two.all(List.of("a", "b"));
    watch(set);
    AtomicInteger next = watch(three);
    ask(one, "x");
    await(set, "s");
    await(three, "y");
    now(
        one.grant(
            new GrantRequest(
                "b", "z", TTL, clock.micros(), GrantRequest.NO_DEADLINE, Queueing.NONE)));
    assertThat(release(one, "x")).isEqualTo(new Released(clock.micros(), true));
    assertThat(next).hasValue(0);
    assertThat(await(set, "s")).isInstanceOf(Busy.class);
    assertThat(next).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({"a*,2", "a?,1", "*,3", "'a[x-z]',1", "'a[a-c]',0", "'\\*',0", "b,1", "'',0"})
  void listsByPattern(String pattern, int count) {
    for (String name : List.of("ay", "axx", "b")) {
      now(
          one.grant(
              new GrantRequest(
                  name, "o", TTL, clock.micros(), GrantRequest.NO_DEADLINE, Queueing.NONE)));
    }
    ask(one.readers(), "reader");
    Listed listed = (Listed) now(one.list(pattern, 10));
    assertThat(listed.names()).hasSize(count).doesNotHaveDuplicates();
    assertThat(listed.complete()).isTrue();
    assertThat(now(one.list("*", 2)))
        .isInstanceOfSatisfying(
            Listed.class,
            some -> {
              assertThat(some.names()).hasSize(2);
              assertThat(some.complete()).isFalse();
            });
  }
}
