package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeUpsTest {
  private final HandScheduler scheduler = new HandScheduler();
  private final TestContext context =
      new TestContext("client") {
        @Override
        public HandScheduler scheduler() {
          return scheduler;
        }
      };
  private final SubscribingPort port = new SubscribingPort();
  private final List<String> passedOn = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private final List<String> woken = new ArrayList<>();
  private CompletableFuture<Boolean> stood = CompletableFuture.completedFuture(true);
  private final WakeUps wakeUps =
      new WakeUps(Checked.servers(port, scheduler, false), context, new Recorded());

  @AfterEach
  void end() {
    assertThat(wakeUps.close()).isNotNull();
    context.close();
  }

  @Test
  void theChannelIsSubscribedWhereTheLockIsServedAndTheWatchWaitsForIt() {
    CompletionStage<WatchReply> first = wakeUps.watch("a", () -> woken.add("first"));
    CompletionStage<WatchReply> second = wakeUps.watch("b", () -> woken.add("second"));
    assertThat(first.toCompletableFuture()).isNotDone();
    port.confirm();
    assertThat(first.toCompletableFuture())
        .isCompletedWithValueMatching(Watching.class::isInstance);
    assertThat(second.toCompletableFuture())
        .isCompletedWithValueMatching(Watching.class::isInstance);
    assertThat(port.channels)
        .containsExactly("leasehold:wake:client for a", "leasehold:wake:client for b");
  }

  @Test
  void aFailedSubscriptionIsToldAndTriedAgainByTheNextWatch() {
    CompletionStage<WatchReply> first = wakeUps.watch("a", () -> {});
    port.confirmed.completeExceptionally(
        new RedisConnectionFailure(FailureKind.UNREACHABLE, "down", null));
    assertThat(first.toCompletableFuture().join())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.UNREACHABLE));
    port.confirmed = CompletableFuture.completedFuture(true);
    watch("a", "again");
    assertThat(port.channels).hasSize(2);
  }

  @Test
  void aWakeUpReachesEveryWatchOfItsNameAndNoOther() {
    port.confirm();
    watch("a", "a1");
    watch("a", "a2");
    watch("b", "b");
    message("a");
    assertThat(woken).containsExactly("a1", "a2");
    assertThat(passedOn).isEmpty();
  }

  @Test
  void aWakeUpThatNobodyWantsIsPassedOn() {
    port.confirm();
    watch("a", "a").close();
    message("a");
    assertThat(woken).isEmpty();
    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void aWakeUpAfterWhichNobodyAskedIsPassedOnWhenTheLastWatchEnds() {
    port.confirm();
    Watch first = watch("a", "first");
    Watch second = watch("a", "second");
    message("a");
    first.close();
    assertThat(passedOn).isEmpty();
    second.close();
    second.close();
    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void aWakeUpThatWasFollowedByAnAnswerIsSpent() {
    port.confirm();
    Watch watch = watch("a", "a");
    message("a");
    ask("a").refused();
    watch.close();
    assertThat(passedOn).isEmpty();
  }

  @Test
  void anAnswerToAnEarlierQuestionDoesNotSpendALaterWakeUp() {
    port.confirm();
    Watch watch = watch("a", "a");
    WakeUps.Attempt asked = ask("a");
    message("a");
    asked.refused();
    watch.close();
    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void everybodyIsWokenWhenALostSubscriptionIsBack() {
    port.confirm();
    watch("a", "a");
    Watch watch = watch("b", "b");
    port.channels.clear();
    wakeUps.interrupted();
    assertThat(woken).containsExactlyInAnyOrder("a", "b");
    assertThat(port.channels) // the lock may be served by another server now
        .containsExactlyInAnyOrder("leasehold:wake:client for a", "leasehold:wake:client for b");
    watch.close();
    assertThat(passedOn).isEmpty(); // nobody was picked by a release
  }

  @Test
  void aLostSubscriptionIsTriedAgainForAsLongAsItsNameIsWatched() {
    port.confirm();
    watch("a", "a");
    Watch other = watch("b", "b");
    port.channels.clear();
    port.confirmed = CompletableFuture.failedFuture(RedisConnectionFailure.timeout(null));
    wakeUps.interrupted();
    wakeUps.interrupted(); // begins no second loop
    assertThat(woken).isEmpty();
    assertThat(scheduler.waiting()).isEqualTo(2);
    other.close();
    assertThat(scheduler.waiting()).isOne();
    scheduler.runNext();
    port.confirmed = CompletableFuture.completedFuture(true);
    scheduler.runNext();
    assertThat(woken).containsExactly("a");
    assertThat(port.channels)
        .containsExactlyInAnyOrder(
            "leasehold:wake:client for a",
            "leasehold:wake:client for b",
            "leasehold:wake:client for a",
            "leasehold:wake:client for a");
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void anInterruptionBeforeTheWatchIsConfirmedIsNotMissed() {
    CompletionStage<WatchReply> watch = wakeUps.watch("a", () -> woken.add("a"));
    CompletableFuture<Boolean> first = port.confirmed;
    port.confirmed = new CompletableFuture<>();
    wakeUps.interrupted();
    first.complete(true);
    assertThat(watch.toCompletableFuture())
        .isCompletedWithValueMatching(Watching.class::isInstance);
    assertThat(woken).isEmpty();
    port.confirm();
    assertThat(woken).containsExactly("a");
    assertThat(port.channels).hasSize(2);
  }

  @Test
  void aClosedClientSubscribesToNothingAnyMore() {
    port.confirm();
    watch("a", "a");
    port.confirmed = CompletableFuture.failedFuture(RedisConnectionFailure.closed());
    wakeUps.interrupted();
    assertThat(wakeUps.close()).isDone();
    assertThat(scheduler.waiting()).isZero();
    wakeUps.interrupted();
    assertThat(port.channels).hasSize(2);
  }

  @Test
  void aWaiterLeavesWithItsLastWatchUnlessItWasServed() {
    port.confirm();
    Watch first = watch("a", "a");
    Watch second = watch("a", "a");
    enter("a", "client");
    first.close();
    assertThat(left).isEmpty();
    second.close();
    assertThat(left).containsExactly("a: [client]");
    Watch served = watch("b", "b");
    enter("b", "client").granted(true);
    served.close();
    watch("c", "c").close();
    assertThat(left).hasSize(1);
    assertThat(passedOn).isEmpty();
  }

  @Test
  void aWaiterThatEntersAgainBehindAGrantLeavesAllTheSame() {
    port.confirm();
    Watch watch = watch("a", "a");
    WakeUps.Attempt first = enter("a", "client");
    enter("a", "client"); // it yields
    first.granted(true);
    watch.close();
    assertThat(left).containsExactly("a: [client]");
  }

  @Test
  void aWaiterThatWasNotThereAnyMoreMayHaveBeenWokenAndPassesThatOn() {
    port.confirm();
    stood = CompletableFuture.completedFuture(false);
    Watch watch = watch("a", "a");
    enter("a", "client");
    watch.close();
    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void aRequestThatEntersAfterTheLastWatchEndedIsTakenBack() {
    port.confirm();
    Watch watch = watch("a", "a");
    WakeUps.Attempt late = enter("a", "client");
    watch.close();
    late.refused();
    assertThat(left).containsExactly("a: [client]", "a: [client]");
  }

  @Test
  void aWatchThatBeginsBeforeTheOldWaiterHasLeftIsWokenToEnterAgain() {
    port.confirm();
    stood = new CompletableFuture<>();
    Watch old = watch("a", "old");
    enter("a", "client");
    old.close();
    watch("a", "new");
    assertThat(woken).isEmpty();
    stood.complete(true);
    assertThat(woken).containsExactly("new");
  }

  @Test
  void aClientThatClosesLeavesEveryLineAndSaysWhenThatIsDone() {
    port.confirm();
    stood = new CompletableFuture<>();
    watch("a", "a");
    watch("b", "b");
    enter("a", "client");
    enter("b", "client*set");
    CompletableFuture<?> end = wakeUps.close();
    assertThat(left).containsExactlyInAnyOrder("a: [client]", "b: [client*set]");
    assertThat(end).isNotDone();
    stood.complete(true);
    assertThat(end).isDone();
  }

  private WakeUps.Attempt ask(String name) {
    return wakeUps.attempt(name, "client", false);
  }

  private WakeUps.Attempt enter(String name, String member) {
    return wakeUps.attempt(name, member, true);
  }

  private Watch watch(String name, String tag) {
    return ((Watching) wakeUps.watch(name, () -> woken.add(tag)).toCompletableFuture().join())
        .watch();
  }

  private void message(String name) {
    wakeUps.message(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Those who wait on a server that answers at once, or when it is told to. */
  private final class Recorded implements WakeUps.Waiters {
    @Override
    public CompletionStage<?> passOn(String name) {
      passedOn.add(name);
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Boolean> leave(String name, Set<String> members) {
      left.add(name + ": " + members);
      return stood;
    }
  }

  /** A port of which only the subscription is used. */
  private static final class SubscribingPort extends UnusedPort {
    private final List<String> channels = new ArrayList<>();
    private CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

    private void confirm() {
      confirmed.complete(true);
    }

    @Override
    public CompletionStage<?> subscribe(
        byte[] key, byte[] channel, DriverPort.Subscriber subscriber) {
      channels.add(
          new String(channel, StandardCharsets.UTF_8)
              + " for "
              + new String(key, StandardCharsets.UTF_8));
      return confirmed;
    }
  }
}
