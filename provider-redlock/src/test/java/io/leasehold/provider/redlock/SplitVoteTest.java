package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Granted;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contenders who split the votes, and how they get out of it. */
class SplitVoteTest {
  private final Simulation five = new Simulation(5);
  private final Simulation.Client client = five.client();

  private static List<SimulatedNode> askedIn(Simulation.Client client) {
    return client.ways().stream().filter(way -> way.asked().contains("grant")).toList();
  }

  private void split(Simulation.Client of) {
    for (int i = 2; i < 5; i++) {
      five.servers.get(i).occupy(LOCK, 5_000);
    }
    Busy busy = (Busy) five.grant(of, five.owner());
    assertThat(busy.remainingMillis()).isBetween(0L, 10L);
    of.ways().forEach(SimulatedNode::forgetAsked);
  }

  @Test
  void afterASplitVoteOneMemberIsAskedBeforeTheOthersAndAllClientsChooseTheSame() {
    Simulation.Client other = five.client();
    split(client);
    split(other);
    for (SimulatedServer server : five.servers) {
      server.occupy(LOCK, 5_000);
    }
    assertThat(five.grant(client, "a")).isInstanceOf(Busy.class);
    assertThat(five.grant(other, "b")).isInstanceOf(Busy.class);
    assertThat(askedIn(client)).hasSize(1);
    assertThat(askedIn(client).get(0).server()).isSameAs(askedIn(other).get(0).server());
  }

  @Test
  void theOneThatGrantsIsFollowedByTheOthers() {
    split(client);
    five.servers.forEach(server -> server.drop(LOCK));
    assertThat(five.grant(client, "a")).isInstanceOf(Granted.class);
    assertThat(five.held("a")).isEqualTo(5);
  }

  @Test
  void theOneThatIsSilentHoldsNobodyUpForLong() {
    split(client);
    five.servers.forEach(server -> server.drop(LOCK));
    client.ways().forEach(SimulatedNode::swallowing);
    var reply = client.quorum().grant(five.request("a"));
    assertThat(askedIn(client)).hasSize(1);
    client.ways().forEach(way -> way.wire(SimulatedNode.PERFECT));
    five.time.advance(Duration.ofMillis(110)); // a quarter of its time, and as long again
    assertThat(now(reply)).isInstanceOf(Granted.class);
  }

  @Test
  void aLeftoverOnTheOneMemberDoesNotKeepTheLockFromBeingHad() {
    split(client);
    for (SimulatedServer server : five.servers) {
      server.occupy(LOCK, 5_000);
    }
    five.grant(client, "a"); // the one is busy
    SimulatedServer leftover = askedIn(client).get(0).server();
    five.servers.stream().filter(server -> server != leftover).forEach(s -> s.drop(LOCK));
    assertThat(five.grant(client, "b")).isInstanceOf(Granted.class);
  }

  @Test
  void aWakeUpSendsTheClientToTheOneMember() {
    for (SimulatedServer server : five.servers) {
      server.occupy(LOCK, 5_000);
    }
    Watching watching = (Watching) now(client.quorum().watch(LOCK, () -> {}));
    five.grant(client, "a");
    assertThat(askedIn(client)).hasSizeGreaterThan(1);
    client.ways().forEach(SimulatedNode::forgetAsked);
    five.time.advance(Duration.ofSeconds(4)); // a long wait
    client.way(0).wakeUp();
    five.grant(client, "b");
    assertThat(askedIn(client)).hasSize(1);
    watching.watch().close();
    assertThat(client.ways()).allMatch(way -> way.watches() == 0);
  }

  @Test
  void differentLocksHaveDifferentFirstMembers() {
    long first = IntStream.range(0, 100).mapToObj(i -> firstFor("lock-" + i)).distinct().count();
    assertThat(first).isEqualTo(5);
  }

  private String firstFor(String name) {
    Members members =
        new Members(List.copyOf(client.ways()), 3, Simulation.times(), five.context());
    members.all().forEach(Member::identify);
    return members.firstFor(name).orElseThrow().label();
  }

  @Test
  void alreadyTheNextUncontendedAttemptAsksEverybodyAtOnceAgain() {
    split(client);
    five.servers.forEach(server -> server.drop(LOCK));
    five.grant(client, "a");
    now(client.quorum().release(new ReleaseRequest(LOCK, "a")));
    five.time.advance(Duration.ofSeconds(3));
    client.ways().forEach(SimulatedNode::swallowing);
    client.ways().forEach(SimulatedNode::forgetAsked);
    client.quorum().grant(five.request("b"));
    assertThat(askedIn(client)).hasSize(5);
  }
}
