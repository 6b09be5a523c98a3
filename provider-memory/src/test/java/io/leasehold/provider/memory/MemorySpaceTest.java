package io.leasehold.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemorySpaceTest {
  private static final ClientInfo WHO = new ClientInfo("id", "name", "host", 1);

  private final HandMovedTime clock = new HandMovedTime();
  private final MemorySpace space = new MemorySpace("test", clock);
  private final MemoryNode node = newNode();
  private final MemoryNode other = newNode();

  private MemoryNode newNode() {
    return new MemoryNode(space, 11_000, clock, WHO, () -> {});
  }

  private static <R> R now(CompletionStage<R> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  private long micros() {
    return clock.micros();
  }

  private GrantReply grant(MemoryNode client, String owner, long proposal, Queueing queueing) {
    return now(
        client.grant(
            new GrantRequest("a", owner, 1_000, proposal, GrantRequest.NO_DEADLINE, queueing)));
  }

  private long token(String owner, long proposal) {
    GrantReply reply = grant(node, owner, proposal, Queueing.NONE);
    assertThat(reply).isInstanceOf(Granted.class);
    return ((Granted) reply).token();
  }

  private ExtendReply extend(String owner) {
    return now(node.extend(List.of(new ExtendRequest("a", owner, 1_000)))).get(0);
  }

  @Test
  void aLockIsItsOwnersUntilItEnds() {
    token("x", micros());
    clock.advance(Duration.ofMillis(400));
    assertThat(grant(other, "y", micros(), Queueing.NONE)).isEqualTo(new Busy(600, micros()));
    clock.advance(Duration.ofMillis(600));
    assertThat(grant(other, "y", micros(), Queueing.NONE)).isInstanceOf(Granted.class);
    assertThat(extend("x")).isEqualTo(new NotHeld(NotHeld.Cause.TAKEN, micros()));
  }

  @Test
  void onlyTheOwnerReleasesAndExtends() {
    token("x", micros());
    assertThat(now(node.release(new ReleaseRequest("a", "y")))).isInstanceOf(NotHeld.class);
    assertThat(extend("y")).isInstanceOf(NotHeld.class);
    assertThat(extend("x")).isInstanceOf(Extended.class);
    assertThat(now(node.release(new ReleaseRequest("a", "x")))).isInstanceOf(Released.class);
    assertThat(extend("x")).isEqualTo(new NotHeld(NotHeld.Cause.ABSENT, micros()));
    assertThat(now(node.inspect("a")).toString()).contains("holders=[]");
  }

  @Test
  void theProposalIsTakenWhereItFits() {
    assertThat(token("x", micros() + 7)).isEqualTo(micros() + 7);
  }

  @Test
  void aRepeatedGrantCostsANumberAndNeverSharesOne() {
    long first = token("x", micros());
    assertThat(token("x", first)).isEqualTo(first + 1);
  }

  @Test
  void aProposalFarAheadIsContained() {
    assertThat(token("x", micros() + 31_536_000_000_000L))
        .isLessThanOrEqualTo(micros() + 5_000_000);
  }

  @Test
  void aFenceThatWasForgottenIsReplacedByTheClock() {
    long first = token("x", micros() + 5_000_000); // as far ahead as is allowed
    clock.advance(Duration.ofSeconds(11)); // the fence has died
    assertThat(token("y", 1)).isGreaterThan(first);
  }

  @Test
  void aRequestThatComesTooLateGrantsNothing() {
    GrantRequest late = new GrantRequest("a", "x", 1_000, 1, micros() - 1, Queueing.NONE);
    assertThat(now(node.grant(late))).isEqualTo(new Expired(micros()));
    assertThat(grant(other, "y", micros(), Queueing.NONE)).isInstanceOf(Granted.class);
  }

  @Test
  void onlyTheOwnerRaisesTheFenceAndOnlyUpwards() {
    long token = token("x", micros());
    assertThat(now(node.raise(new RaiseRequest("a", "y", token + 9)))).isInstanceOf(Refused.class);
    assertThat(now(node.raise(new RaiseRequest("a", "x", token - 1)))).isInstanceOf(Refused.class);
    assertThat(now(node.raise(new RaiseRequest("a", "x", token + 9)))).isInstanceOf(Raised.class);
    assertThat(now(node.raise(new RaiseRequest("a", "x", micros() + 6_000_000))))
        .isEqualTo(new Refused(token + 9, micros()));
  }

  @Test
  void aTransferIsAReleaseAndAGrantInOne() {
    long token = token("x", micros());
    assertThat(now(node.transfer(new TransferRequest("a", "z", "y", 1_000, micros()))))
        .isInstanceOf(NotHeld.class);
    assertThat(now(node.transfer(new TransferRequest("a", "x", "y", 1_000, token + 5))))
        .isEqualTo(new Granted(token + 5, micros()));
    assertThat(extend("x")).isInstanceOf(NotHeld.class);
    assertThat(extend("y")).isInstanceOf(Extended.class);
  }

  @Test
  void aForcedReleaseIsToldToItsVictimOnly() {
    token("x", micros());
    assertThat(now(node.forceRelease("a"))).isInstanceOf(Released.class);
    assertThat(now(node.forceRelease("a"))).isInstanceOf(NotHeld.class);
    assertThat(extend("x")).isEqualTo(new NotHeld(NotHeld.Cause.FORCED, micros()));
    assertThat(extend("y")).isEqualTo(new NotHeld(NotHeld.Cause.ABSENT, micros()));
  }

  @Test
  void aReleaseWakesOneWaitingClientAndPassesOverDeadOnes() {
    AtomicInteger wokenDead = new AtomicInteger();
    AtomicInteger woken = new AtomicInteger();
    MemoryNode dead = newNode();
    MemoryNode third = newNode();
    token("x", micros());
    for (MemoryNode waiter : List.of(dead, other, third)) {
      AtomicInteger counter = waiter == dead ? wokenDead : woken;
      assertThat(now(waiter.watch("a", counter::incrementAndGet))).isInstanceOf(Watching.class);
      assertThat(grant(waiter, "w", micros(), Queueing.WAKE)).isInstanceOf(Busy.class);
    }
    dead.close();
    now(node.release(new ReleaseRequest("a", "x")));
    assertThat(wokenDead).hasValue(0);
    assertThat(woken).hasValue(1);
  }

  @Test
  void aWokenClientThatNoLongerWaitsPassesTheWakeOn() {
    AtomicInteger woken = new AtomicInteger();
    token("x", micros());
    Watching leaving = (Watching) now(other.watch("a", () -> {}));
    grant(other, "w1", micros(), Queueing.WAKE);
    MemoryNode third = newNode();
    now(third.watch("a", woken::incrementAndGet));
    grant(third, "w2", micros(), Queueing.WAKE);
    now(node.release(new ReleaseRequest("a", "x"))); // wakes the one that is leaving
    assertThat(woken).hasValue(0);
    leaving.watch().close();
    assertThat(woken).hasValue(1);
  }
}
