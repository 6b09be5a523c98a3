package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static io.leasehold.provider.redlock.Simulation.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The token: what a quorum has accepted, in one round or in more. */
class TokenTest {
  private static final long HOUR = 3_600_000_000L;
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();
  private final long proposal = five.time.wallMillis() * 1_000;

  private Granted granted(GrantReply reply) {
    return (Granted) assertThat(reply).isInstanceOf(Granted.class).actual();
  }

  @Test
  void fencesThatStandHigherOnAMinorityCostNoSecondRound() {
    five.servers.get(0).setFence(LOCK, proposal + 10);
    five.servers.get(1).setFence(LOCK, proposal + 20);
    // Asked in order, the first three answers are not all the proposal; the others are on their
    // way.
    Granted granted = granted(five.grant(client, "a"));
    assertThat(granted.token()).isGreaterThanOrEqualTo(proposal);
    assertThat(five.servers.stream().filter(s -> s.fence(LOCK) >= granted.token()).count())
        .isGreaterThanOrEqualTo(3);
  }

  @Test
  void fencesThatStandHigherOnAMajorityCostASecondRound() {
    five.servers.get(0).setFence(LOCK, proposal + 10);
    five.servers.get(1).setFence(LOCK, proposal + 20);
    five.servers.get(2).setFence(LOCK, proposal + 30);
    client.way(3).failing(FailureKind.UNREACHABLE);
    client.way(4).failing(FailureKind.UNREACHABLE);
    Granted granted = granted(five.grant(client, "a"));
    assertThat(granted.token()).isEqualTo(proposal + 31);
    assertThat(granted.rounds()).isEqualTo(2);
    assertThat(client.way(0).asked()).containsExactly("grant", "raise");
    assertThat(client.way(1).asked()).containsExactly("grant", "raise");
    assertThat(client.way(2).asked()).containsExactly("grant");
  }

  @Test
  void aServerWithAFastClockDragsNobodyAlong() {
    five.servers.get(4).setClockAhead(HOUR);
    Simulation.Client other = five.client();
    Granted granted = granted(five.grant(other, "a"));
    assertThat(granted.token()).isEqualTo(proposal);
    other.way(0).swallowing();
    other.way(1).failing(FailureKind.UNREACHABLE);
    now(other.quorum().release(new ReleaseRequest(LOCK, "a")));
    CompletionStage<GrantReply> second = other.quorum().grant(five.request("b"));
    five.time.advance(Simulation.NODE_TIMEOUT.plusMillis(5));
    // Two good servers and the fast one: no token that it could accept, and none is made up.
    assertThat(now(second))
        .asInstanceOf(type(Failed.class))
        .satisfies(failed -> assertThat(failed.message()).contains("clocks"));
    assertThat(five.servers.get(2).fence(LOCK)).isLessThan(proposal + HOUR / 2);
  }

  @Test
  void aServerWithAFastClockThatAnswersFirstDragsNobodyAlongEither() {
    five.servers.get(0).setClockAhead(HOUR);
    Simulation.Client other = five.client();
    List<Runnable> slow = other.way(4).holding("grant");
    other.way(3).failing(FailureKind.UNREACHABLE);
    CompletionStage<GrantReply> stage = other.quorum().grant(five.request("a"));
    assertThat(reply(stage)).isEmpty(); // an hour ahead, and twice the proposal: who else?
    slow.forEach(Runnable::run);
    assertThat(granted(now(stage)).token()).isEqualTo(proposal);
  }

  @Test
  void whoIsSlowIsGivenAMomentAndNoMore() {
    five.servers.get(0).setFence(LOCK, proposal + 10);
    client.way(3).swallowing();
    client.way(4).swallowing();
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    assertThat(reply(stage)).isEmpty();
    five.time.advance(Duration.ofMillis(1));
    assertThat(granted(now(stage)).token()).isEqualTo(proposal + 11);
  }

  @Test
  void aServerWithASlowClockHoldsNobodyUp() {
    five.servers.get(0).setClockAhead(-HOUR);
    five.servers.get(1).setClockAhead(-HOUR);
    assertThat(granted(five.grant(client, "a")).token()).isEqualTo(proposal);
  }

  @Test
  void aFenceThatStandsAtTheTargetAlreadyIsNotTakenForAccepted() {
    // The first server answers low; before it is asked to raise, somebody else has come and gone
    // there, and has left the fence at exactly the target.
    SimulatedServer stolen = five.servers.get(0);
    five.servers.get(1).setFence(LOCK, proposal + 9);
    five.servers.get(2).setFence(LOCK, proposal + 9);
    client.way(3).failing(FailureKind.UNREACHABLE);
    client.way(4).failing(FailureKind.UNREACHABLE);
    List<Runnable> raise = client.way(0).holding("raise");
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    assertThat(raise).hasSize(1);
    stolen.drop(LOCK);
    stolen.setFence(LOCK, proposal + 10);
    raise.forEach(Runnable::run);
    five.time.advance(Simulation.NODE_TIMEOUT);
    assertThat(now(stage)).isInstanceOf(Failed.class);
    assertThat(five.held("a")).isZero();
  }

  @Test
  void whenTheTargetCannotGetAQuorumTheNextHigherOneIsTried() {
    five.servers.get(0).setFence(LOCK, proposal + 10);
    five.servers.get(1).setFence(LOCK, proposal + 20);
    five.servers.get(2).setFence(LOCK, proposal + 30);
    five.servers.get(3).setFence(LOCK, proposal + 40);
    client.way(4).failing(FailureKind.UNREACHABLE);
    List<Runnable> first = client.way(0).holding("raise");
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a"));
    five.servers.get(0).drop(LOCK); // its raise will be refused
    first.forEach(Runnable::run);
    five.time.advance(Simulation.NODE_TIMEOUT);
    Granted granted = granted(now(stage));
    assertThat(granted.token()).isEqualTo(proposal + 41);
    assertThat(granted.rounds()).isEqualTo(3);
  }

  @Test
  void validityCountsOverAllRounds() {
    five.servers.get(0).setFence(LOCK, proposal + 10);
    five.servers.get(1).setFence(LOCK, proposal + 20);
    five.servers.get(2).setFence(LOCK, proposal + 30);
    client.way(3).failing(FailureKind.UNREACHABLE);
    client.way(4).failing(FailureKind.UNREACHABLE);
    List<Runnable> raise = client.way(0).holding("raise");
    CompletionStage<GrantReply> stage = client.quorum().grant(five.request("a", 100));
    five.time.advance(Duration.ofMillis(97));
    assertThat(reply(stage)).isEmpty();
    five.time.advance(Duration.ofMillis(1));
    raise.forEach(Runnable::run);
    assertThat(now(stage)).isInstanceOf(Failed.class);
    assertThat(five.held("a")).isZero();
  }

  @Test
  void tokensGrowWhicheverMajorityGrants() {
    long last = 0;
    for (int i = 0; i < 40; i++) {
      int away = i % 5;
      client.way(away).failing(FailureKind.UNREACHABLE);
      client.way((away + 1) % 5).failing(FailureKind.UNREACHABLE);
      Granted granted = granted(five.grant(client, "owner" + i));
      assertThat(granted.token()).isGreaterThan(last);
      last = granted.token();
      now(client.quorum().release(new ReleaseRequest(LOCK, "owner" + i)));
      client.ways().forEach(way -> way.wire(SimulatedNode.PERFECT));
      five.time.advance(Duration.ofMillis(700)); // those that were away are asked who they are
    }
  }
}
