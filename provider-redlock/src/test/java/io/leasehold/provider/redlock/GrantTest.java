package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static io.leasehold.provider.redlock.Simulation.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The votes: who has a quorum, and what the others are told. */
class GrantTest {
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();

  @Test
  void aFreeLockIsGrantedInOneRoundWithTheProposalAsItsToken() {
    long proposal = five.time.wallMillis() * 1_000;
    GrantReply reply = five.grant(client, "a");
    assertThat(reply)
        .asInstanceOf(type(Granted.class))
        .satisfies(
            granted -> {
              assertThat(granted.token()).isEqualTo(proposal);
              assertThat(granted.rounds()).isEqualTo(1);
              assertThat(granted.answers()).hasSize(5);
            });
    assertThat(client.ways()).allSatisfy(way -> assertThat(way.asked()).containsExactly("grant"));
    assertThat(five.held("a")).isEqualTo(5);
  }

  @Test
  void aQuorumIsEnoughAndNobodyWaitsForTheRest() {
    client.way(0).holding("grant");
    client.way(1).holding("grant");
    Granted granted = (Granted) five.grant(client, "a");
    assertThat(granted.answers())
        .extracting(NodeAnswer::kind)
        .containsExactly(
            NodeAnswer.Kind.NOT_AWAITED,
            NodeAnswer.Kind.NOT_AWAITED,
            NodeAnswer.Kind.GRANTED,
            NodeAnswer.Kind.GRANTED,
            NodeAnswer.Kind.GRANTED);
  }

  @Test
  void aMinorityIsNotEnough() {
    client.way(0).swallowing();
    client.way(1).swallowing();
    client.way(2).swallowing();
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    assertThat(reply(stage)).isEmpty();
    five.time.advance(Simulation.NODE_TIMEOUT);
    assertThat(now(stage))
        .asInstanceOf(type(Failed.class))
        .satisfies(
            failed -> {
              assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM);
              assertThat(failed.message()).contains("2 of 5 nodes granted, 3 are needed");
              assertThat(failed.answers()).hasSize(5);
              assertThat(failed.answers().get(0).toString()).contains("node-0: FAILED (TIMEOUT");
            });
    assertThat(five.held("a")).isZero();
  }

  @Test
  void anEvenNumberNeedsMoreThanHalf() {
    Simulation four = new Simulation(4);
    Simulation.Client of = four.client();
    four.servers.get(0).occupy(LOCK, 5_000);
    four.servers.get(1).occupy(LOCK, 5_000);
    assertThat(four.grant(of, "a")).isInstanceOf(Busy.class);
    assertThat(four.held("a")).isZero();
  }

  @Test
  void aHolderElsewhereIsBusyUntilItsQuorumEnds() {
    for (int i = 0; i < 5; i++) {
      five.servers.get(i).occupy(LOCK, 1_000L * (i + 1));
    }
    assertThat(five.grant(client, "a"))
        .asInstanceOf(type(Busy.class))
        .satisfies(busy -> assertThat(busy.remainingMillis()).isEqualTo(3_000));
  }

  @Test
  void aRefusalIsCertainBeforeTheSlowestHaveAnswered() {
    for (int i = 0; i < 3; i++) {
      five.servers.get(i).occupy(LOCK, 1_000);
    }
    client.way(3).swallowing();
    client.way(4).swallowing();
    assertThat(five.grant(client, "a")).isInstanceOf(Busy.class);
  }

  @Test
  void unknownIsNotBusy() {
    five.servers.get(0).occupy(LOCK, 1_000);
    client.way(1).failing(FailureKind.UNREACHABLE);
    client.way(2).failing(FailureKind.UNREACHABLE);
    client.way(3).failing(FailureKind.UNREACHABLE);
    assertThat(five.grant(client, "a"))
        .asInstanceOf(type(Failed.class))
        .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM));
  }

  /** One server is dead, another one late: what it granted then is not another client's. */
  @Test
  void whatAnEarlierAttemptLeftIsNotAnotherClients() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    of.way(0).failing(FailureKind.UNREACHABLE);
    List<Runnable> late = of.way(1).holding("grant");
    CompletionStage<GrantReply> first = of.quorum().grant(three.request("a"));
    three.time.advance(Simulation.NODE_TIMEOUT);
    assertThat(now(first)).isInstanceOf(Failed.class);

    SimulatedServer slow = three.servers.get(1);
    slow.occupy(LOCK, 5_000); // as the late grant, whose release waits for its answer
    of.way(1).wire(SimulatedNode.PERFECT);
    assertThat(three.grant(of, "b"))
        .asInstanceOf(type(Failed.class))
        .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM));

    slow.drop(LOCK);
    late.forEach(Runnable::run); // and now it is released
    assertThat(three.held("a")).isZero();
    slow.occupy(LOCK, 5_000);
    assertThat(three.grant(of, "c")).as("somebody else, for all we know").isInstanceOf(Busy.class);
  }

  /** API-3 on a quorum with several calls of one client, while another client holds the lock. */
  @Test
  void aMemberThatWasMerelyNotAwaitedStaysBusyForTheNextCall() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    three.servers.forEach(server -> server.occupy(LOCK, 5_000));
    List<List<Runnable>> held = of.ways().stream().map(way -> way.holding("grant")).toList();
    CompletionStage<GrantReply> a = of.quorum().grant(three.request("a"));
    CompletionStage<GrantReply> b = of.quorum().grant(three.request("b"));
    CompletionStage<GrantReply> c = of.quorum().grant(three.request("c"));

    held.get(2).get(1).run(); // b
    held.get(0).get(0).run(); // a
    held.get(1).get(0).run(); // a
    assertThat(now(a)).as("node-2 was not awaited").isInstanceOf(Busy.class);
    held.get(0).get(1).run(); // b
    assertThat(now(b)).as("node-1 was not awaited").isInstanceOf(Busy.class);
    held.forEach(grants -> grants.get(2).run()); // c
    assertThat(now(c)).as("API-3: busy, not unavailable").isInstanceOf(Busy.class);
  }

  /** The late answer shows it at once; the release need not be confirmed. */
  @Test
  void aLateAnswerThatIsNotAGrantLeavesNothingBehind() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    three.servers.get(1).occupy(LOCK, 5_000);
    of.way(0).failing(FailureKind.UNREACHABLE);
    List<Runnable> late = of.way(1).holding("grant");
    CompletionStage<GrantReply> first = of.quorum().grant(three.request("a"));
    three.time.advance(Simulation.NODE_TIMEOUT);
    assertThat(now(first)).isInstanceOf(Failed.class);

    of.way(1).holding("release");
    assertThat(three.grant(of, "b"))
        .as("node-1 may hold what it has not answered yet")
        .isInstanceOf(Failed.class);
    late.forEach(Runnable::run); // busy
    assertThat(three.grant(of, "c")).as("API-3: busy, not unavailable").isInstanceOf(Busy.class);
  }

  @Test
  void aMemberThatWasNotAwaitedAndStaysSilentMayHoldThisClientsAttempt() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    of.way(0).losing("grant");
    refuseOnTheOthers(three, of);

    of.way(0).wire(SimulatedNode.PERFECT);
    of.way(1).failing(FailureKind.UNREACHABLE);
    assertThat(three.grant(of, "b")).as("its answer may be on its way").isInstanceOf(Busy.class);
    three.time.advance(Simulation.NODE_TIMEOUT);
    expectUnknownOnTheFirst(three, of);
  }

  @Test
  void aMemberThatWasNotAwaitedAndLosesItsAnswerMayHoldThisClientsAttempt() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    List<Runnable> lost = of.way(0).losing("grant");
    refuseOnTheOthers(three, of);

    of.way(0).holding("release");
    of.way(1).failing(FailureKind.UNREACHABLE);
    lost.forEach(Runnable::run);
    three.time.advance(Simulation.NODE_TIMEOUT.dividedBy(2)); // node-0 serves again
    expectUnknownOnTheFirst(three, of);
  }

  /** Two servers fail at once, so the first is not awaited, and no other client has been seen. */
  @Test
  void withoutAnotherClientAMemberThatWasNotAwaitedMayHoldThisClientsAttempt() {
    Simulation three = new Simulation(3);
    Simulation.Client of = three.client();
    of.way(0).losing("grant");
    of.way(1).failing(FailureKind.UNREACHABLE);
    of.way(2).failing(FailureKind.UNREACHABLE);
    assertThat(three.grant(of, "a")).isInstanceOf(Failed.class);

    of.way(0).wire(SimulatedNode.PERFECT);
    of.way(2).wire(SimulatedNode.PERFECT);
    three.time.advance(Simulation.NODE_TIMEOUT.dividedBy(2)); // node-2 serves again
    expectUnknownOnTheFirst(three, of);
  }

  /** The first grants, and is not awaited. */
  private static void refuseOnTheOthers(Simulation three, Simulation.Client of) {
    three.servers.get(1).occupy(LOCK, 5_000);
    three.servers.get(2).occupy(LOCK, 5_000);
    assertThat(three.grant(of, "a")).isInstanceOf(Busy.class);
    three.servers.get(1).drop(LOCK);
    three.servers.get(2).drop(LOCK);
  }

  private static void expectUnknownOnTheFirst(Simulation three, Simulation.Client of) {
    assertThat(three.servers.get(0).owner(LOCK)).contains("a");
    assertThat(three.grant(of, "c"))
        .asInstanceOf(type(Failed.class))
        .satisfies(
            failed -> {
              assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM);
              assertThat(failed.answers().get(0).toString())
                  .contains("FAILED", "an earlier request");
            });
  }

  @Test
  void whatOnlyAPersonCanMendIsToldAsSuch() {
    for (int i = 0; i < 3; i++) {
      client.way(i).failing(FailureKind.NO_PERMISSION);
    }
    assertThat(five.grant(client, "a"))
        .asInstanceOf(type(Failed.class))
        .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.NO_PERMISSION));
  }

  @Test
  void guardedServersHaveNoVoteAndSayForHowLong() {
    for (int i = 2; i < 5; i++) {
      five.servers.get(i).restartEmpty(2_000_000L * (i - 1));
    }
    assertThat(five.grant(client, "a"))
        .asInstanceOf(type(Guarded.class))
        .satisfies(guarded -> assertThat(guarded.remainingMillis()).isEqualTo(2_000));
    assertThat(five.held("a")).isZero();
  }

  @Test
  void whichRefusalItIsDoesNotDependOnWhoAnswersFirst() {
    five.servers.get(2).restartEmpty(2_000_000);
    five.servers.get(3).restartEmpty(2_000_000);
    five.servers.get(4).restartEmpty(2_000_000);
    client.way(0).failing(FailureKind.UNREACHABLE);
    client.way(1).failing(FailureKind.UNREACHABLE);
    List<Runnable> slow = client.way(4).holding("grant");
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    assertThat(reply(stage)).isEmpty(); // one more Guarded makes it so
    slow.forEach(Runnable::run);
    assertThat(now(stage)).isInstanceOf(Guarded.class);
  }

  @Test
  void aRequestWhoseTimeIsOverIsNotSent() {
    GrantRequest late =
        new GrantRequest(LOCK, "a", 1_000, 1, five.servers.get(0).now() - 1, Queueing.NONE);
    assertThat(now(client.quorum().grant(late))).isInstanceOf(Expired.class);
    assertThat(client.way(0).asked()).isEmpty();
  }

  @Test
  void aRequestThatArrivesAfterTheNodeTimeoutGrantsNothing() {
    client.way(0).swallowing();
    client.way(1).swallowing();
    List<Runnable> waiting = client.way(2).holding("grant");
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    five.time.advance(Simulation.NODE_TIMEOUT.plusMillis(1));
    assertThat(now(stage)).isInstanceOf(Failed.class);
    waiting.forEach(Runnable::run);
    assertThat(five.servers.get(2).owner(LOCK)).isEmpty();
  }

  @Test
  void aFailedAttemptIsReleasedOnEveryServer() {
    for (int i = 0; i < 5; i += 2) {
      five.servers.get(i).occupy(LOCK, 1_000);
    }
    five.grant(client, "a");
    assertThat(client.ways())
        .allSatisfy(way -> assertThat(way.asked()).containsExactly("grant", "release"));
    assertThat(five.held("a")).isZero();
  }

  @Test
  void aReleaseWaitsForTheGrantThatIsUnderWayAndNeverOvertakesIt() {
    List<Runnable> slow = client.way(4).holding("grant");
    assertThat(five.grant(client, "a")).isInstanceOf(Granted.class);
    now(client.quorum().release(new ReleaseRequest(LOCK, "a")));
    assertThat(client.way(4).asked()).containsExactly("grant");
    slow.forEach(Runnable::run);
    assertThat(client.way(4).asked()).containsExactly("grant", "release");
    assertThat(five.held("a")).isZero();
  }

  @Test
  void validityCountsOverTheWholeRequest() {
    List<Runnable> slow = client.way(0).holding("grant");
    client.way(1).swallowing();
    client.way(2).swallowing();
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a", 100));
    five.time.advance(Duration.ofMillis(98)); // 100 ms less 1 % and 2 ms are spent
    slow.forEach(Runnable::run);
    assertThat(now(stage)).isInstanceOf(Failed.class);
    assertThat(five.held("a")).isZero();
  }
}
