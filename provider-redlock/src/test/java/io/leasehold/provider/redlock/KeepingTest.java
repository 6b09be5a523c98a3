package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extending, releasing, handing over and looking at a lock that a quorum granted. */
class KeepingTest {
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();

  @BeforeEach
  void hold() {
    assertThat(five.grant(client, "a")).isInstanceOf(Granted.class);
  }

  private ExtendReply extend() {
    List<ExtendReply> replies =
        now(client.quorum().extend(List.of(new ExtendRequest(LOCK, "a", 10_000))));
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  private ReleaseReply release() {
    return now(client.quorum().release(new ReleaseRequest(LOCK, "a")));
  }

  private void dropOn(int count) {
    five.servers.subList(0, count).forEach(server -> server.drop(LOCK));
  }

  private void loseConnectionsTo(int count) {
    client.ways().subList(5 - count, 5).forEach(way -> way.failing(FailureKind.UNREACHABLE));
  }

  @Test
  void anExtensionNeedsAQuorumThatIsStillTheOwners() {
    dropOn(2);
    assertThat(extend()).isInstanceOf(Extended.class);
    dropOn(3);
    assertThat(extend()).isInstanceOf(NotHeld.class);
  }

  @Test
  void anExtensionNeverBringsALockBack() {
    dropOn(3);
    extend();
    assertThat(five.held("a")).isEqualTo(2);
  }

  @Test
  void anExtensionThatTooFewCouldAnswerIsNotKnown() {
    dropOn(1);
    loseConnectionsTo(2);
    assertThat(extend())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM));
  }

  @Test
  void manyExtensionsAreAnsweredOneByOne() {
    now(client
            .quorum()
            .extend(
                List.of(
                    new ExtendRequest(LOCK, "a", 10_000),
                    new ExtendRequest("other", "a", 10_000),
                    new ExtendRequest(LOCK, "stranger", 10_000))))
        .forEach(reply -> assertThat(reply).isNotNull());
    List<ExtendReply> replies =
        now(
            client
                .quorum()
                .extend(
                    List.of(
                        new ExtendRequest("other", "a", 10_000),
                        new ExtendRequest(LOCK, "a", 10_000),
                        new ExtendRequest(LOCK, "stranger", 10_000))));
    assertThat(replies.get(0))
        .isInstanceOfSatisfying(
            NotHeld.class, n -> assertThat(n.cause()).isEqualTo(NotHeld.Cause.ABSENT));
    assertThat(replies.get(1)).isInstanceOf(Extended.class);
    assertThat(replies.get(2))
        .isInstanceOfSatisfying(
            NotHeld.class, n -> assertThat(n.cause()).isEqualTo(NotHeld.Cause.TAKEN));
    assertThat(client.way(0).asked()).containsExactly("grant", "extend", "extend");
  }

  @Test
  void aReleaseGoesToAllAndIsConfirmedByAQuorum() {
    loseConnectionsTo(2);
    assertThat(release()).isInstanceOf(Released.class);
    assertThat(five.held("a")).isEqualTo(2);
  }

  @Test
  void aReleaseOfALockThatNoQuorumCanHaveHeldIsALoss() {
    dropOn(3);
    assertThat(release()).isInstanceOf(NotHeld.class);
    assertThat(five.held("a")).isZero();
  }

  @Test
  void aReleaseThatAMinorityLostIsStillARelease() {
    dropOn(1);
    loseConnectionsTo(2);
    assertThat(release()).isInstanceOf(Released.class);
  }

  @Test
  void aReleaseThatNoQuorumConfirmedIsNotKnown() {
    loseConnectionsTo(3);
    assertThat(release()).isInstanceOf(Failed.class);
  }

  @Test
  void aTransferTakesAQuorumAndALargerToken() {
    long before = five.servers.get(0).fence(LOCK);
    TransferReply reply =
        now(client.quorum().transfer(new TransferRequest(LOCK, "a", "b", 10_000, before + 1)));
    assertThat(reply)
        .isInstanceOfSatisfying(Granted.class, g -> assertThat(g.token()).isGreaterThan(before));
    assertThat(five.held("b")).isEqualTo(5);
  }

  @Test
  void aTransferThatFailsReleasesBothOwnersEverywhere() {
    dropOn(2);
    loseConnectionsTo(1);
    TransferReply reply =
        now(client.quorum().transfer(new TransferRequest(LOCK, "a", "b", 10_000, 1)));
    assertThat(reply).isInstanceOf(Failed.class);
    assertThat(five.held("b")).isZero();
    assertThat(five.held("a")).isEqualTo(1); // where nobody could be reached
    client.way(4).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    assertThat(five.held("a")).isZero();
  }

  /** It arrives on every server when the first release there has been carried out. */
  @Test
  void aTransferThatArrivesBetweenTheTwoReleasesLeavesNothing() {
    client.ways().forEach(way -> way.wire(new LateTransfer()));
    TransferReply reply =
        now(client.quorum().transfer(new TransferRequest(LOCK, "a", "b", 10_000, 1)));
    assertThat(reply).isInstanceOf(Failed.class);
    five.time.advance(Duration.ofSeconds(2));
    assertThat(five.held("a")).isZero();
    assertThat(five.held("b")).isZero();
  }

  @Test
  void aHandOverDoesNotOvertakeTheOneBefore() {
    List<Runnable> held = new ArrayList<>();
    client.way(4).wire(new HeldBack(held));
    transfer("a", "b");
    transfer("b", "c");
    assertThat(held).hasSize(1); // the second waits for the answer to the first
    while (!held.isEmpty()) {
      held.remove(0).run();
    }
    assertThat(five.held("c")).isEqualTo(5);
  }

  @Test
  void whatAMemberDidNotHandOnIsReleasedThere() {
    client.way(4).failing(FailureKind.OVERLOADED);
    transfer("a", "b");
    assertThat(five.held("a")).isEqualTo(1);
    client.way(4).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(11)); // it is asked now and then
    assertThat(five.held("a")).isZero();
  }

  @Test
  void aMemberThatFallsFarBehindIsPassedOver() {
    List<Runnable> held = new ArrayList<>();
    client.way(4).wire(new HeldBack(held));
    for (char owner = 'a'; owner < 'z'; owner++) {
      transfer(String.valueOf(owner), String.valueOf((char) (owner + 1)));
    }
    int sent = 0;
    while (!held.isEmpty()) {
      held.remove(0).run();
      sent++;
    }
    assertThat(sent).isLessThan(25 + 25); // transfers and releases, and not all of either
    assertThat(five.held("z")).isEqualTo(4);
    assertThat(five.servers.get(4).owner(LOCK)).as("a leftover would cost a vote").isEmpty();
  }

  private void transfer(String from, String to) {
    assertThat(now(client.quorum().transfer(new TransferRequest(LOCK, from, to, 10_000, 1))))
        .isInstanceOf(Granted.class);
  }

  /**
   * A wire that loses the reply to a transfer, delays the first two releases, and delivers the
   * transfer right after the first release that is carried out.
   */
  private final class LateTransfer implements SimulatedNode.Wire {
    private final List<Object> late = new ArrayList<>();
    private Runnable transfer = () -> {};
    private int releases;

    @Override
    public <R> CompletionStage<R> carry(
        String operation, Supplier<R> request, Function<Failed, R> failing) {
      if (operation.equals("transfer")) {
        transfer = () -> late.add(request.get());
        return CompletableFuture.completedFuture(
            failing.apply(new Failed(FailureKind.OTHER, "the reply was lost")));
      }
      if (!operation.equals("release")) {
        return CompletableFuture.completedFuture(request.get());
      }
      releases++;
      CompletableFuture<R> reply = new CompletableFuture<>();
      if (releases <= 2) {
        five.time.schedule(() -> carryOut(request, reply), releases * 10_000_000L);
      } else {
        carryOut(request, reply);
      }
      return reply;
    }

    private <R> void carryOut(Supplier<R> request, CompletableFuture<R> reply) {
      R answer = request.get();
      Runnable arriving = transfer;
      transfer = () -> {};
      arriving.run();
      reply.complete(answer);
    }
  }

  /** A wire on which every request waits until it is let go. */
  private record HeldBack(List<Runnable> held) implements SimulatedNode.Wire {
    @Override
    public <R> CompletionStage<R> carry(
        String operation, Supplier<R> request, Function<Failed, R> failing) {
      CompletableFuture<R> reply = new CompletableFuture<>();
      held.add(() -> reply.complete(request.get()));
      return reply;
    }
  }

  @Test
  void aHolderIsWhoeverHasAQuorum() {
    Inspection seen = (Inspection) now(client.quorum().inspect(LOCK));
    assertThat(seen.holder().orElseThrow().owner()).isEqualTo("a");
    assertThat(seen.fence()).isPositive();
    dropOn(3);
    assertThat(((Inspection) now(client.quorum().inspect(LOCK))).holder()).isEmpty();
  }

  @Test
  void wakeUpsComeFromEveryMemberAndSeveralAtOnceCountAsOne() {
    int[] woken = new int[1];
    now(client.quorum().watch(LOCK, () -> woken[0]++));
    client.ways().forEach(SimulatedNode::wakeUp);
    assertThat(woken[0]).isEqualTo(1);
    five.time.advance(Duration.ofMillis(20));
    assertThat(woken[0]).isEqualTo(2); // those that followed closely, as one
    client.way(3).wakeUp();
    assertThat(woken[0]).isEqualTo(3);
  }
}
