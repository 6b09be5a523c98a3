package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static io.leasehold.provider.redlock.Simulation.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Readers and writers on a quorum. */
class SharingTest {
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();
  private final LockNode readers = client.quorum().readers();
  private final LockNode writers = client.quorum().writers();

  private GrantReply ask(LockNode side, String owner, Queueing queueing) {
    return now(side.grant(request(owner, queueing)));
  }

  private GrantRequest request(String owner, Queueing queueing) {
    GrantRequest plain = five.request(owner);
    return new GrantRequest(
        LOCK, owner, plain.ttlMillis(), plain.proposal(), plain.notAfter(), queueing);
  }

  private long granted(LockNode side, String owner) {
    GrantReply reply = ask(side, owner, Queueing.NONE);
    assertThat(reply).isInstanceOf(Granted.class);
    return ((Granted) reply).token();
  }

  private void release(LockNode side, String owner) {
    now(side.release(new ReleaseRequest(LOCK, owner)));
  }

  private CompletionStage<TransferReply> downgrade(String from, String to) {
    return readers.transfer(
        new TransferRequest(LOCK, from, to, Simulation.TTL_MILLIS, five.time.wallMillis() * 1_000));
  }

  private SimulatedReadWrite server(int index) {
    return five.servers.get(index).readWrite();
  }

  private long reading(String owner) {
    return five.servers.stream()
        .filter(server -> server.readWrite().readersOf(LOCK).contains(owner))
        .count();
  }

  private long writing(String owner) {
    return five.servers.stream()
        .filter(server -> server.readWrite().writerOf(LOCK).equals(Optional.of(owner)))
        .count();
  }

  @Test
  void readersShareAndAWriterIsAlone() {
    long first = granted(readers, "r1");
    long second = granted(readers, "r2");
    assertThat(ask(writers, "w1", Queueing.NONE)).isInstanceOf(Busy.class);
    release(readers, "r1");
    assertThat(ask(writers, "w2", Queueing.NONE)).isInstanceOf(Busy.class);
    release(readers, "r2");
    long token = granted(writers, "w3");
    assertThat(token).isGreaterThan(first).isGreaterThan(second);
    assertThat(ask(readers, "r3", Queueing.NONE)).isInstanceOf(Busy.class);
    assertThat(ask(writers, "w4", Queueing.NONE)).isInstanceOf(Busy.class);
    release(writers, "w3");
    assertThat(granted(readers, "r4")).isGreaterThan(token);
  }

  @Test
  void aReadWriteLockAndAPlainOneHaveNothingToDoWithEachOther() {
    granted(writers, "w");
    assertThat(five.grant(client, "plain")).isInstanceOf(Granted.class);
  }

  @Test
  void eachReaderIsExtendedAndEndsOnItsOwn() {
    granted(readers, "r1");
    granted(readers, "r2");
    five.time.advance(Duration.ofMillis(Simulation.TTL_MILLIS - 100));
    assertThat(now(readers.extend(List.of(new ExtendRequest(LOCK, "r2", 10_000)))))
        .hasOnlyElementsOfType(Extended.class);
    five.time.advance(Duration.ofMillis(200));
    assertThat(reading("r1")).isZero();
    assertThat(reading("r2")).isEqualTo(5);
    assertThat(now(readers.extend(List.of(new ExtendRequest(LOCK, "r1", 10_000)))))
        .hasOnlyElementsOfType(NotHeld.class);
  }

  @Test
  void anInspectionShowsAllWhoHoldAQuorum() {
    granted(readers, "r1");
    granted(readers, "r2");
    for (int i = 0; i < 3; i++) {
      server(i).readers().release(LOCK, "r2");
    }
    granted(readers, "r3");
    Inspection seen = (Inspection) now(readers.inspect(LOCK));
    assertThat(seen.holders().stream().map(Inspection.Holder::owner))
        .containsExactlyInAnyOrder("r1", "r3");
  }

  @Test
  void manyReadersAtOnceStandInNobodysWayToAToken() {
    Simulation three = new Simulation(3);
    Simulation.Client slow = three.client();
    LockNode quick = three.client().quorum().readers();
    List<Runnable> toSecond = slow.way(1).holding("readers grant");
    List<Runnable> toThird = slow.way(2).holding("readers grant");
    GrantRequest request = three.request("slow");
    CompletionStage<GrantReply> reply = slow.quorum().readers().grant(request);
    three.time.advance(Duration.ofMillis(1));
    assertThat(now(quick.grant(three.request("quick")))).isInstanceOf(Granted.class);
    toSecond.forEach(Runnable::run);
    three.time.advance(Duration.ofMillis(1));
    Granted last = (Granted) now(quick.grant(three.request("quicker")));
    toThird.forEach(Runnable::run);

    // 1st: the proposal, 2nd: above quick's, 3rd: above quicker's; and all fences are at quicker's.
    Granted granted = (Granted) now(reply);
    assertThat(granted.rounds()).isEqualTo(2);
    assertThat(granted.token()).isBetween(request.proposal() + 1, last.token() - 1);
    assertThat(three.servers).allMatch(s -> s.readWrite().fence(LOCK) >= last.token());
  }

  @Test
  void aDowngradeLetsNoOtherWriterBetween() {
    long written = granted(writers, "w");
    List<Runnable> onTheWay = client.way(0).holding("readers transfer");
    CompletionStage<TransferReply> reply = downgrade("w", "r");
    assertThat(ask(five.client().quorum().writers(), "other", Queueing.NONE))
        .isInstanceOf(Busy.class);
    onTheWay.forEach(Runnable::run);
    assertThat(((Granted) now(reply)).token()).isGreaterThan(written);
    assertThat(reading("r")).isEqualTo(5);
    assertThat(writing("w")).isZero();
    assertThat(ask(writers, "other", Queueing.NONE)).isInstanceOf(Busy.class);
    assertThat(ask(readers, "another", Queueing.NONE)).isInstanceOf(Granted.class);
  }

  @Test
  void aDowngradeOfAMinorityIsTheEndOfBoth() {
    granted(writers, "w");
    for (int i = 0; i < 3; i++) {
      server(i).writers().release(LOCK, "w");
    }
    assertThat(now(downgrade("w", "r"))).isInstanceOf(NotHeld.class);
    assertThat(reading("r")).isZero();
    assertThat(writing("w")).isZero();
  }

  @Test
  void aDowngradeThatMostDoNotAnswerIsGivenBackWhenTheyDo() {
    granted(writers, "w");
    List<List<Runnable>> onTheWay =
        client.ways().subList(0, 3).stream().map(way -> way.holding("readers transfer")).toList();
    CompletionStage<TransferReply> reply = downgrade("w", "r");
    five.time.advance(Simulation.NODE_TIMEOUT.plusMillis(1));
    assertThat(now(reply)).isInstanceOf(Failed.class);
    assertThat(reading("r")).as("those that answered have given it back").isZero();
    onTheWay.forEach(requests -> requests.forEach(Runnable::run));
    five.time.advance(Duration.ofSeconds(2));
    assertThat(reading("r")).isZero();
    assertThat(writing("w")).isZero();
  }

  @Test
  void aDowngradeDoesNotOvertakeTheGrantBeforeIt() {
    List<Runnable> slow = client.way(4).holding("writers grant");
    granted(writers, "w");
    client.way(4).forgetAsked();
    CompletionStage<TransferReply> reply = downgrade("w", "r");
    assertThat(now(reply)).isInstanceOf(Granted.class);
    assertThat(client.way(4).asked()).isEmpty();
    slow.forEach(Runnable::run);
    assertThat(client.way(4).asked()).containsExactly("readers transfer");
    assertThat(reading("r")).isEqualTo(5);
  }

  @Test
  void whatAMemberDidNotHandOnIsReleasedAmongItsWriters() {
    granted(writers, "w");
    client.way(2).failing(FailureKind.OUT_OF_MEMORY);
    assertThat(now(downgrade("w", "r"))).isInstanceOf(Granted.class);
    assertThat(server(2).writerOf(LOCK)).contains("w");
    client.way(2).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    assertThat(server(2).writerOf(LOCK)).isEmpty();
  }

  @Test
  void aReaderThatAMemberCouldNotBeToldOfIsReleasedThereLater() {
    granted(readers, "r");
    client.way(1).failing(FailureKind.CONNECTION_LOST);
    release(readers, "r");
    assertThat(server(1).readersOf(LOCK)).containsExactly("r");
    client.way(1).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    assertThat(server(1).readersOf(LOCK)).isEmpty();
  }

  @Test
  void aMemberThatWasSilentToReadersIsNotAskedByWritersEither() {
    client.way(0).swallowing();
    granted(readers, "r");
    release(readers, "r");
    for (int i = 0; i < 25; i++) {
      five.time.advance(Duration.ofMillis(10));
      now(readers.inspect("another"));
    }
    client.way(0).forgetAsked();
    granted(writers, "w");
    assertThat(client.way(0).asked()).isEmpty();
  }

  @Test
  void aWriterThatWaitsKeepsNewReadersOutAndIsNotStarved() {
    granted(readers, "r1");
    Busy busy = (Busy) ask(writers, "w1", Queueing.WAKE);
    assertThat(busy.remainingMillis()).isBetween(1L, ReadWriteLocks.WRITER_WAITS_MILLIS - 1);
    assertThat(ask(five.client().quorum().readers(), "r2", Queueing.NONE))
        .as("the failed attempt was given back, and yet the writer waits")
        .isInstanceOf(Busy.class);
    release(readers, "r1");
    granted(writers, "w2");
    release(writers, "w2");
    granted(readers, "r3");
  }

  @Test
  void aWriterThatWaitsOnAMinorityKeepsNobodyOut() {
    granted(readers, "r1");
    Simulation.Client cutOff = five.client();
    for (int i = 2; i < 5; i++) {
      cutOff.way(i).failing(FailureKind.UNREACHABLE);
    }
    assertThat(ask(cutOff.quorum().writers(), "w", Queueing.WAKE)).isInstanceOf(Failed.class);
    granted(readers, "r2");
    assertThat(reading("r2")).isEqualTo(3);
  }

  @Test
  void aWriterThatGivesUpDelaysReadersForAShortTime() {
    granted(readers, "r1");
    assertThat(ask(writers, "w", Queueing.WAKE)).isInstanceOf(Busy.class);
    Busy busy = (Busy) ask(readers, "r2", Queueing.NONE);
    assertThat(busy.remainingMillis()).isBetween(1L, ReadWriteLocks.WRITER_WAITS_MILLIS);
    five.time.advance(Duration.ofMillis(ReadWriteLocks.WRITER_WAITS_MILLIS));
    granted(readers, "r3");
  }

  @Test
  void aWriterThatOnlyTriesLeavesNothingBehind() {
    server(0).readers().grant(request("elsewhere", Queueing.NONE));
    server(1).readers().grant(request("elsewhere", Queueing.NONE));
    server(2).readers().grant(request("elsewhere", Queueing.NONE));
    assertThat(ask(writers, "w", Queueing.NONE)).isInstanceOf(Busy.class);
    assertThat(writing("w")).isZero();
    granted(readers, "r");
    assertThat(reading("r")).isEqualTo(5);
  }

  @Test
  void aClosedQuorumHasClosedSides() {
    client.quorum().close();
    assertThat(now(readers.grant(five.request("r"))))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.CLOSED));
    assertThat(now(downgrade("w", "r"))).isInstanceOf(Failed.class);
    assertThat(reply(writers.watch(LOCK, () -> {}))).containsInstanceOf(Failed.class);
  }

  @Test
  void closingASideClosesNothing() {
    readers.close();
    writers.close();
    granted(writers, "w");
    assertThat(client.ways()).noneMatch(SimulatedNode::isClosed);
  }
}
