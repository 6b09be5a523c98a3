package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Failed;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LockChannelsTest {
  private final HandPort port = new HandPort();
  private final HandScheduler scheduler = new HandScheduler();
  private final LockChannels channels = new LockChannels(Checked.servers(port, scheduler, false));
  private final AtomicInteger wakes = new AtomicInteger();

  @Test
  void watchersOfANameShareAChannelThatEndsWithTheLast() {
    Watch first = watch("a");
    Watch second = watch("a");
    Watch other = watch("b");
    assertThat(port.channels())
        .containsExactly("redisson_lock__channel:{a}", "redisson_lock__channel:{b}");
    port.subscribed.get(0).subscriber.message("0".getBytes(StandardCharsets.US_ASCII));
    assertThat(wakes).hasValue(2);
    first.close();
    first.close();
    assertThat(port.ended).isEmpty();
    assertThat(channels.isWatched("a")).isTrue();
    second.close();
    assertThat(port.ended).hasSize(1);
    assertThat(channels.isWatched("a")).isFalse();
    other.close();
    assertThat(port.ended).hasSize(2);
    watch("a").close();
    assertThat(port.channels()).hasSize(3);
  }

  @Test
  void afterALossEverybodyIsWokenBecauseNobodyKnowsWhatWasSaid() {
    Watch watch = watch("a");
    port.subscribed.get(0).subscriber.interrupted();
    assertThat(wakes).hasValue(1);
    watch.close();
  }

  @Test
  void aLostSubscriptionIsTriedAgainForAsLongAsItsNameIsWatched() {
    Watch watch = watch("a");
    Watch other = watch("b");
    port.failing = true;
    List.copyOf(port.subscribed)
        .forEach(
            each -> {
              each.subscriber.interrupted();
              each.subscriber.interrupted();
            });
    assertThat(wakes).hasValue(0);
    assertThat(scheduler.waiting()).isEqualTo(2);
    other.close();
    assertThat(scheduler.waiting()).isOne();
    port.failing = false;
    scheduler.runNext();
    assertThat(wakes).hasValue(1);
    assertThat(scheduler.waiting()).isZero();
    watch.close();
  }

  @Test
  void whatIsClosedSubscribesToNothingAnyMore() {
    watch("a");
    port.failing = true;
    port.subscribed.get(0).subscriber.interrupted();
    channels.endAll();
    assertThat(scheduler.waiting()).isZero();
    port.subscribed.get(0).subscriber.interrupted();
    assertThat(port.subscribed).hasSize(2);
  }

  @Test
  void onAClusterTheOldServerIsLeftBeforeTheChannelIsSubscribedAgain() {
    LockChannels clustered = new LockChannels(Checked.servers(port, scheduler, true));
    assertThat(clustered.watch("a", wakes::incrementAndGet)).isCompleted();
    port.subscribed.get(0).subscriber.interrupted();
    assertThat(port.ended).containsExactly(port.subscribed.get(0).subscriber);
    assertThat(port.subscribed).hasSize(2);
    assertThat(wakes).hasValue(1);
  }

  @Test
  void aSubscriptionThatFailsIsAnAnswerAndLeavesNothing() {
    port.failing = true;
    assertThat(reply("a")).isInstanceOf(Failed.class);
    assertThat(channels.isWatched("a")).isFalse();
    assertThat(port.ended).isNotEmpty();
  }

  @Test
  void whatIsConfirmedAfterTheLastHasLeftIsEnded() {
    Watch watch = watch("a");
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    port.next = later;
    port.subscribed.get(0).subscriber.interrupted();
    watch.close();
    int before = port.ended.size();
    later.complete(true);
    assertThat(port.ended).hasSize(before + 1);
  }

  private Watch watch(String name) {
    return ((Watching) reply(name)).watch();
  }

  private WatchReply reply(String name) {
    return channels.watch(name, wakes::incrementAndGet).toCompletableFuture().join();
  }

  private record Subscribed(String channel, DriverPort.Subscriber subscriber) {}

  /** Confirms each subscription at once, or as a test says. */
  private static final class HandPort extends UnusedPort {
    private final List<Subscribed> subscribed = new ArrayList<>();
    private final List<DriverPort.Subscriber> ended = new ArrayList<>();
    private boolean failing;
    private CompletionStage<Boolean> next = CompletableFuture.completedStage(true);

    /** Those that were begun, and not only joined. */
    private List<String> channels() {
      return subscribed.stream().distinct().map(Subscribed::channel).toList();
    }

    @Override
    public CompletionStage<?> subscribe(
        byte[] key, byte[] channel, DriverPort.Subscriber subscriber) {
      subscribed.add(new Subscribed(new String(channel, StandardCharsets.UTF_8), subscriber));
      return failing ? CompletableFuture.failedStage(RedisConnectionFailure.closed()) : next;
    }

    @Override
    public void unsubscribe(DriverPort.Subscriber subscriber) {
      ended.add(subscriber);
    }
  }
}
