package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static io.leasehold.provider.redlock.Simulation.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings.Finding;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Who is asked, who is not, and who comes back. */
class MemberTest {
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();

  private void release(String owner) {
    now(client.quorum().release(new ReleaseRequest(LOCK, owner)));
  }

  /** Time passes, and the members that answer are heard. */
  private void listenFor(Duration time) {
    for (long millis = 0; millis < time.toMillis(); millis += 10) {
      five.time.advance(Duration.ofMillis(10));
      now(client.quorum().inspect("another"));
    }
  }

  @Test
  void aSilentMemberIsNotAskedAgainUntilItAnswersInTheBackground() {
    client.way(0).swallowing();
    five.grant(client, "a");
    release("a");
    listenFor(Simulation.NODE_TIMEOUT.plusMillis(20));
    client.way(0).forgetAsked();
    Granted granted = (Granted) five.grant(client, "b");
    assertThat(granted.answers().get(0).toString()).contains("FAILED (TIMEOUT: no answer for");
    release("b");
    assertThat(client.way(0).asked()).isEmpty();

    client.way(0).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    five.grant(client, "c");
    assertThat(client.way(0).asked()).contains("grant");
  }

  @Test
  void whatWasReleasedWhileAMemberWasAwayIsReleasedThereWhenItIsBack() {
    five.grant(client, "a");
    assertThat(five.servers.get(0).owner(LOCK)).contains("a");
    client.way(0).failing(FailureKind.CONNECTION_LOST);
    release("a");
    assertThat(five.servers.get(0).owner(LOCK)).contains("a");
    client.way(0).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    assertThat(five.servers.get(0).owner(LOCK)).isEmpty();
  }

  @Test
  void withoutThemNoQuorumSoSilentMembersAreAskedAllTheSame() {
    for (int i = 0; i < 3; i++) {
      client.way(i).swallowing();
    }
    CompletionStage<GrantReply> first = client.quorum().grant(five.request("a"));
    five.time.advance(Simulation.NODE_TIMEOUT.plusMillis(1));
    assertThat(now(first)).isInstanceOf(Failed.class);
    for (int i = 0; i < 3; i++) {
      client.way(i).wire(SimulatedNode.PERFECT);
    }
    // None of the background questions has been answered yet, and still there is a quorum.
    assertThat(five.grant(client, "b")).isInstanceOf(Granted.class);
  }

  @Test
  void aMemberThatIsSlowIsNotBuriedUnderRequests() {
    client.way(0).swallowing();
    for (int i = 0; i < 100; i++) {
      five.grant(client, "owner" + i);
      release("owner" + i);
      five.time.advance(Duration.ofMillis(5));
    }
    assertThat(client.way(0).asked()).hasSizeLessThan(40);
  }

  @Test
  void whenTheClientItselfHasSleptNobodyIsBlamed() {
    for (SimulatedNode way : client.ways()) {
      way.swallowing();
    }
    for (int i = 0; i < 30; i++) {
      client.quorum().grant(five.request("slept" + i)); // and the client sleeps before any answer
    }
    five.time.sleep(Duration.ofMillis(150));
    client.ways().forEach(way -> way.wire(SimulatedNode.PERFECT));
    assertThat(five.grant(client, "awake")).isInstanceOf(Granted.class);
  }

  @Test
  void aReleaseThatASlowMemberWasSparedFollowsAsSoonAsItAnswers() {
    five.grant(client, "a");
    client.way(0).swallowing();
    for (int i = 0; i < 40; i++) {
      client.quorum().extend(List.of()); // enough requests wait for it
    }
    listenFor(Duration.ofMillis(80));
    client.way(0).forgetAsked();
    release("a");
    assertThat(client.way(0).asked()).isEmpty();
    client.way(0).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofMillis(50));
    assertThat(five.servers.get(0).owner(LOCK)).isEmpty();
  }

  @Test
  void theSameServerUnderTwoAddressesIsRefused() {
    five.servers.get(3).become(five.servers.get(1));
    Simulation.Client other = five.unconnected();
    assertThatThrownBy(() -> other.quorum().connect(false))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("node-3: it is the same server as node-1")
        .hasMessageContaining("LH-110");
  }

  @Test
  void aReplicaIsRefused() {
    five.servers.get(2).role = Identity.Role.REPLICA;
    Simulation.Client other = five.unconnected();
    assertThatThrownBy(() -> other.quorum().connect(false))
        .isInstanceOf(NodeUnavailableException.class)
        .hasMessageContaining("node-2: it is a replica");
  }

  @Test
  void aMinorityThatIsDownWhenTheClientIsOpenedJoinsLater() {
    Simulation.Client other = five.unconnected();
    other.way(0).failing(FailureKind.UNREACHABLE);
    other.way(1).failing(FailureKind.UNREACHABLE);
    other.quorum().connect(false);
    assertThat(five.grant(other, "a")).isInstanceOf(Granted.class);
    now(other.quorum().release(new ReleaseRequest(LOCK, "a")));
    other.way(0).wire(SimulatedNode.PERFECT);
    other.way(1).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    five.grant(other, "b");
    assertThat(five.held("b")).isEqualTo(5);
  }

  @Test
  void withAMajorityDownTheClientDoesNotOpen() {
    Simulation.Client other = five.unconnected();
    for (int i = 0; i < 3; i++) {
      other.way(i).failing(FailureKind.UNREACHABLE);
    }
    assertThatThrownBy(() -> other.quorum().connect(false))
        .isInstanceOfSatisfying(
            NodeUnavailableException.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo(FailureKind.NO_QUORUM);
              assertThat(refusal.answers()).hasSize(5);
            });
  }

  @Test
  void aMemberThatComesBackAsAnotherMembersServerHasNoVote() {
    client.way(4).failing(FailureKind.CONNECTION_LOST);
    five.grant(client, "a");
    release("a");
    five.servers.get(4).become(five.servers.get(0));
    client.way(4).wire(SimulatedNode.PERFECT);
    five.time.advance(Duration.ofSeconds(1));
    client.way(4).forgetAsked();
    Granted granted = (Granted) five.grant(client, "b");
    assertThat(client.way(4).asked()).isEmpty();
    assertThat(granted.rounds()).isEqualTo(1);
    assertThat(client.quorum().findings())
        .extracting(Finding::id, Finding::text)
        .anySatisfy(finding -> assertThat(finding.toString()).contains("LH-207", "node-4"));
  }

  @Test
  void whoTheMembersAreIsAskedFromTimeToTime() {
    five.servers.get(4).become(five.servers.get(0)); // without any connection breaking
    five.time.advance(Duration.ofSeconds(15));
    client.way(4).forgetAsked();
    five.grant(client, "a");
    assertThat(client.way(4).asked()).isEmpty();
  }

  @Test
  void anEvenNumberOfMembersIsToldOf() {
    assertThat(new Simulation(4).client().quorum().findings())
        .extracting(Finding::id)
        .containsExactly("LH-206");
    assertThat(client.quorum().findings()).isEmpty();
  }

  @Test
  void aClosedQuorumAnswersSoAndLeavesNothingBehind() {
    client.way(0).swallowing();
    CompletionStage<GrantReply> open = client.quorum().grant(five.request("a"));
    assertThat(reply(open)).isPresent();
    client.quorum().close();
    assertThat(five.grant(client, "b"))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.CLOSED));
    assertThat(client.ways()).allMatch(SimulatedNode::isClosed);
    five.time.advance(Duration.ofMinutes(1));
    assertThat(five.time.pending()).isZero();
  }
}
