package io.leasehold.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Left;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryFairLineTest {
  private static final ClientInfo WHO = new ClientInfo("id", "name", "host", 1);

  private static final Duration TURN = Duration.ofMillis(FairLine.TURN_MILLIS);

  private final HandMovedTime time = new HandMovedTime();
  private final MemorySpace space = new MemorySpace("test", time);
  private final List<String> woken = new ArrayList<>();
  private final MemoryNode holder = client("holder");
  private final MemoryNode first = client("first");
  private final MemoryNode second = client("second");
  private final MemoryNode third = client("third");

  private MemoryNode client(String called) {
    MemoryNode node = new MemoryNode(space, 11_000, time, WHO, () -> {});
    assertThat(now(node.watch("a", () -> woken.add(called)))).isInstanceOf(Watching.class);
    return node;
  }

  @BeforeEach
  void hold() {
    assertThat(grant(holder, "x", Queueing.NONE, "")).isInstanceOf(Granted.class);
  }

  private static <R> R now(CompletionStage<R> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  private GrantReply grant(MemoryNode client, String owner, Queueing queueing, String place) {
    return now(
        client.grant(
            new GrantRequest(
                "a", owner, 60_000, time.micros(), GrantRequest.NO_DEADLINE, queueing, place)));
  }

  private GrantReply fair(MemoryNode client, String place) {
    return grant(client, owner(client, place), Queueing.FAIR, place);
  }

  private static String owner(MemoryNode client, String place) {
    return System.identityHashCode(client) + "-" + place;
  }

  private ReleaseReply release(MemoryNode client, String owner) {
    return now(client.release(new ReleaseRequest("a", owner)));
  }

  private void inLine(MemoryNode client, String place) {
    assertThat(fair(client, place)).isInstanceOf(Busy.class);
  }

  @Test
  void aReleaseGivesTheFirstItsTurnAndNobodyElseIsServedWhileItLasts() {
    inLine(first, "1");
    inLine(second, "1");
    assertThat(release(holder, "x")).isEqualTo(new Released(time.micros(), true));
    assertThat(woken).containsExactly("first");
    time.advance(Duration.ofMillis(400));
    assertThat(fair(second, "1")).isEqualTo(new Busy(600, time.micros()));
    assertThat(grant(third, "z", Queueing.FAIR, GrantRequest.NO_PLACE)).isInstanceOf(Busy.class);
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
    assertThat(release(first, owner(first, "1"))).isInstanceOf(Released.class);
    assertThat(fair(second, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void whoAsksAgainKeepsItsPlace() {
    inLine(first, "1");
    inLine(second, "1");
    inLine(first, "1");
    release(holder, "x");
    assertThat(woken).containsExactly("first");
  }

  @Test
  void whoLetsItsTurnPassLosesAllItsPlacesAndTheNextIsTold() {
    inLine(first, "1");
    inLine(first, "2");
    inLine(second, "1");
    release(holder, "x");
    time.advance(TURN.minusMillis(1));
    assertThat(woken).containsExactly("first");
    time.advance(Duration.ofMillis(1));
    assertThat(woken).containsExactly("first", "second");
    assertThat(fair(first, "1")).isInstanceOf(Busy.class); // at the end of the line
    assertThat(fair(second, "1")).isInstanceOf(Granted.class);
    release(second, owner(second, "1"));
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void aCallThatComesJustNowTakesNobodysTurnNotEvenItsClients() {
    inLine(first, "1");
    inLine(second, "1");
    release(holder, "x");
    inLine(first, "late");
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
    release(first, owner(first, "1"));
    inLine(first, "late");
    assertThat(fair(second, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void aTurnThatWasTakenDoesNotLapse() {
    inLine(first, "1");
    inLine(first, "2");
    release(holder, "x");
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
    time.advance(TURN.multipliedBy(3));
    inLine(second, "1");
    release(first, owner(first, "1"));
    assertThat(woken).containsExactly("first", "first");
  }

  @Test
  void aTurnIsTheClientsAndCostsThePlaceWhoseTurnItWas() {
    inLine(first, "1");
    inLine(second, "1");
    inLine(first, "2");
    release(holder, "x");
    assertThat(fair(first, "2")).isInstanceOf(Granted.class);
    release(first, owner(first, "2"));
    assertThat(woken).containsExactly("first", "second"); // the first's other call is behind now
    assertThat(fair(second, "1")).isInstanceOf(Granted.class);
    release(second, owner(second, "1"));
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void leavingPassesTheTurnOn() {
    inLine(first, "1");
    inLine(second, "1");
    inLine(third, "1");
    assertThat(now(second.leave("a", "1"))).isInstanceOf(Left.class);
    assertThat(now(second.leave("a", "never"))).isInstanceOf(Left.class);
    release(holder, "x");
    assertThat(now(first.leave("a", "1"))).isInstanceOf(Left.class);
    assertThat(woken).containsExactly("first", "third");
  }

  @Test
  void aClientThatIsGoneIsPassedOverAndItsTurnPassedOn() {
    inLine(first, "1");
    inLine(second, "1");
    inLine(third, "1");
    first.close();
    release(holder, "x");
    assertThat(woken).containsExactly("second");
    second.close();
    assertThat(woken).containsExactly("second", "third");
    assertThat(fair(third, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void aLockThatEndsByItselfIsTheFirstOnesWhoeverAsksFirst() {
    inLine(first, "1");
    inLine(second, "1");
    time.advance(Duration.ofSeconds(60));
    assertThat(fair(second, "1")).isEqualTo(new Busy(FairLine.TURN_MILLIS, time.micros()));
    assertThat(woken).containsExactly("first");
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void whoDoesNotAskFairlyDoesNotSeeTheLineAndCostsNobodyItsPlace() {
    inLine(first, "1");
    inLine(second, "1");
    release(holder, "x");
    assertThat(grant(third, "z", Queueing.NONE, "")).isInstanceOf(Granted.class);
    inLine(first, "1"); // it came, and could not be served
    time.advance(TURN.multipliedBy(2));
    release(third, "z");
    assertThat(woken).containsExactly("first", "first");
    assertThat(fair(first, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void whoDoesNotWaitIsServedWhenNobodyStandsInLine() {
    release(holder, "x");
    assertThat(grant(first, "y", Queueing.FAIR, GrantRequest.NO_PLACE)).isInstanceOf(Granted.class);
  }

  @Test
  void aClientThatStopsWatchingPassesItsTurnOnAndKeepsItsPlaces() {
    MemoryNode leaving = new MemoryNode(space, 11_000, time, WHO, () -> {});
    Watching watching = (Watching) now(leaving.watch("a", () -> woken.add("leaving")));
    inLine(leaving, "1");
    inLine(second, "1");
    release(holder, "x");
    watching.watch().close();
    assertThat(woken).containsExactly("leaving", "second");
    assertThat(fair(second, "1")).isInstanceOf(Granted.class);
    inLine(third, "1");
    release(second, owner(second, "1"));
    assertThat(fair(leaving, "1")).isInstanceOf(Granted.class);
  }

  @Test
  void aGrantTellsHowManyOthersWait() {
    inLine(first, "1");
    inLine(second, "1");
    assertThat(grant(third, "w", Queueing.WAKE, "")).isInstanceOf(Busy.class);
    release(holder, "x");
    assertThat(((Granted) fair(first, "1")).othersWaiting()).isEqualTo(2);
  }

  @Test
  void whoYieldsComesBehindTheOthers() {
    assertThat(grant(holder, "w", Queueing.WAKE, "")).isInstanceOf(Busy.class);
    assertThat(grant(first, "w", Queueing.WAKE, "")).isInstanceOf(Busy.class);
    assertThat(now(holder.release(new ReleaseRequest("a", "x", true))))
        .isEqualTo(new Released(time.micros(), true));
    assertThat(woken).containsExactly("first");
    assertThat(((Granted) grant(first, "y", Queueing.WAKE, "")).othersWaiting()).isEqualTo(1);
    release(first, "y");
    assertThat(woken).containsExactly("first", "holder");
  }

  @Test
  void whoYieldsToNobodyIsToldSo() {
    assertThat(now(holder.release(new ReleaseRequest("a", "x", true))))
        .isEqualTo(new Released(time.micros(), false));
    assertThat(woken).isEmpty();
  }
}
