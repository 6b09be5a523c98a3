package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static io.leasehold.provider.redlock.Simulation.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refusals;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which kinds of lock a quorum has, several locks at once, and the listing. */
class KindsTest {
  private final Simulation three = new Simulation(3);
  private final Simulation.Client client = three.client();
  private final QuorumNode quorum = client.quorum();

  @Test
  void hasTheKindsThatAllMembersHaveAndAQuorumCan() {
    assertThat(quorum.capabilities())
        .containsExactlyInAnyOrder(
            Capability.FENCING,
            Capability.TRANSFER,
            Capability.WAKE_UPS,
            Capability.READ_WRITE,
            Capability.SEVERAL,
            Capability.LISTING);
    assertThat(quorum.offer(ReadWriteLocks.class)).isPresent();
    assertThat(quorum.offer(SeveralLocks.class)).isPresent();
    assertThat(quorum.offer(LockListing.class)).isPresent();
    assertThat(quorum.offer(Semaphores.class)).isEmpty();
    for (LockNode side : List.of(quorum.readers(), quorum.writers(), quorum.all(List.of("a")))) {
      assertThat(side.capabilities())
          .containsExactlyInAnyOrder(Capability.FENCING, Capability.WAKE_UPS);
      assertThat(side.offer(SeveralLocks.class)).isEmpty();
    }
  }

  @Test
  void hasNoReadWriteLocksWhenOneMemberHasNone() {
    List<LockNode> nodes =
        List.of(
            new SimulatedNode("a", three.servers.get(0)),
            new SimulatedNode("b", three.servers.get(1)).plain(),
            new SimulatedNode("c", three.servers.get(2)));
    QuorumNode mixed = new QuorumNode(nodes, 2, Simulation.times(), three.context());
    assertThat(mixed.capabilities())
        .contains(Capability.SEVERAL)
        .doesNotContain(Capability.READ_WRITE, Capability.LISTING);
    assertThat(mixed.offer(ReadWriteLocks.class)).isEmpty();
    assertThat(mixed.offer(LockListing.class)).isEmpty();
    assertThat(mixed.offer(SeveralLocks.class)).isPresent();
  }

  @Test
  void saysWhyItHasNoSemaphores() {
    Refusals refusals = quorum.offer(Refusals.class).orElseThrow();
    assertThat(refusals.whyNot(Capability.SEMAPHORES).orElseThrow()).contains("majorities", "3");
    assertThat(refusals.whyNot(Capability.FAIRNESS)).isPresent();
    assertThat(refusals.whyNot(Capability.READ_WRITE)).isEmpty();
  }

  @Test
  void severalLocksAreHeldOnAllServersWithOneToken() {
    three.servers.forEach(s -> s.setFence("b", three.time.wallMillis() * 1_000 + 50));
    LockNode all = quorum.all(List.of("b", "a"));
    Granted granted = (Granted) now(all.grant(three.request("me")));
    for (SimulatedServer server : three.servers) {
      assertThat(server.owner("a")).contains("me");
      assertThat(server.owner("b")).contains("me");
      assertThat(server.fence("a")).isEqualTo(granted.token());
      assertThat(server.fence("b")).isEqualTo(granted.token());
    }
    assertThat(now(all.release(new ReleaseRequest("", "me")))).isInstanceOf(Released.class);
    assertThat(three.servers).allMatch(s -> s.held().isEmpty());
  }

  @Test
  void ofSeveralLocksNoneIsKeptWhenOneIsBusy() {
    three.servers.forEach(server -> server.occupy("b", 5_000));
    assertThat(now(quorum.all(List.of("a", "b")).grant(three.request("me"))))
        .isInstanceOf(Busy.class);
    assertThat(three.servers).allMatch(server -> server.owner("a").isEmpty());
  }

  @Test
  void ofSeveralLocksNoneIsKeptWhenThereIsNoQuorumForOne() {
    List<Runnable> late = client.way(0).holding("grant");
    client.way(1).failing(FailureKind.OUT_OF_MEMORY);
    CompletionStage<?> reply = quorum.all(List.of("a", "b")).grant(three.request("me"));
    three.time.advance(Simulation.REQUEST_TIMEOUT.multipliedBy(2));
    assertThat(now(reply)).isInstanceOf(Failed.class);
    late.forEach(Runnable::run);
    client.way(0).wire(SimulatedNode.PERFECT);
    three.time.advance(Duration.ofSeconds(1));
    assertThat(three.servers).allMatch(server -> server.held().isEmpty());
  }

  @Test
  void listsWhatAnyMemberOfAQuorumLists() {
    three.grant(client, "me");
    three.servers.get(0).occupy("left over", 5_000);
    assertThat(now(quorum.list("*", 10))).isEqualTo(new Listed(List.of("left over", LOCK), true));
    assertThat(now(quorum.list("*", 1)))
        .isInstanceOfSatisfying(
            Listed.class,
            listed -> {
              assertThat(listed.names()).hasSize(1);
              assertThat(listed.complete()).isFalse();
            });
  }

  @Test
  void listsNothingWithoutAQuorum() {
    client.way(0).failing(FailureKind.OUT_OF_MEMORY);
    client.way(1).failing(FailureKind.OUT_OF_MEMORY);
    assertThat(now(quorum.list("*", 10)))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.NO_QUORUM));
  }

  @Test
  void aListingThatTakesLongIsNotHeldAgainstTheMembersButEnds() {
    client.ways().forEach(way -> way.holding("list"));
    CompletionStage<ListReply> reply = quorum.list("*", 10);
    three.time.advance(Duration.ofSeconds(5));
    assertThat(reply(reply)).isEqualTo(Optional.empty());
    assertThat(three.grant(client, "me")).isInstanceOf(Granted.class);
    assertThat(three.held("me")).isEqualTo(3);
    three.time.advance(Duration.ofSeconds(6));
    assertThat(now(reply)).isInstanceOf(Failed.class);
  }
}
