package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeUpsTest {
  private final TestContext context = new TestContext("client");
  private final SubscribingPort port = new SubscribingPort();
  private final List<String> passedOn = new ArrayList<>();
  private final List<String> woken = new ArrayList<>();
  private final WakeUps wakeUps = new WakeUps(port, context, Runnable::run, passedOn::add);

  @AfterEach
  void end() {
    wakeUps.close();
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
    wakeUps.answered("a", wakeUps.asking("a"));
    watch.close();
    assertThat(passedOn).isEmpty();
  }

  @Test
  void anAnswerToAnEarlierQuestionDoesNotSpendALaterWakeUp() {
    port.confirm();
    Watch watch = watch("a", "a");
    long asked = wakeUps.asking("a");
    message("a");
    wakeUps.answered("a", asked);
    watch.close();
    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void everybodyIsWokenWhenALostSubscriptionIsBack() {
    port.confirm();
    watch("a", "a");
    Watch watch = watch("b", "b");
    port.channels.clear();
    wakeUps.restored();
    assertThat(woken).containsExactlyInAnyOrder("a", "b");
    assertThat(port.channels) // the lock may be served by another server now
        .containsExactlyInAnyOrder("leasehold:wake:client for a", "leasehold:wake:client for b");
    watch.close();
    assertThat(passedOn).isEmpty(); // nobody was picked by a release
  }

  private Watch watch(String name, String tag) {
    return ((Watching) wakeUps.watch(name, () -> woken.add(tag)).toCompletableFuture().join())
        .watch();
  }

  private void message(String name) {
    wakeUps.message(name.getBytes(StandardCharsets.UTF_8));
  }

  /** A port of which only the subscription is used. */
  private static final class SubscribingPort extends UnusedPort {
    private final List<String> channels = new ArrayList<>();
    private CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

    private void confirm() {
      confirmed.complete(true);
    }

    @Override
    public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
      channels.add(
          new String(channel, StandardCharsets.UTF_8)
              + " for "
              + new String(key, StandardCharsets.UTF_8));
      return confirmed;
    }
  }
}
