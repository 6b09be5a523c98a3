package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscriptions of a {@link DriverPort} on one server. */
public abstract class PortSubscriptionsContract extends PortFixture {
  private final RedisServer server = RedisServer.start();
  private final Recorder recorder = new Recorder();

  /** For the test of one driver. */
  protected PortSubscriptionsContract() {}

  @BeforeEach
  void closeServer() {
    closing(server);
  }

  private CompletionStage<?> subscribe(DriverPort port, Recorder subscriber) {
    return subscriber.subscribe(
        () ->
            onThread(
                () -> port.subscribe(key("k"), key("news"), subscriber).thenApply(done -> true)));
  }

  /** For ports with a short command timeout, which a busy machine may exceed. */
  private void subscribeInTheEnd(DriverPort port) {
    eventually(
        () ->
            Boolean.TRUE.equals(
                get(subscribe(port, recorder).handle((confirmed, error) -> error == null))));
  }

  private long publish(String message) {
    return server.command("PUBLISH", "news", message) instanceof Long count ? count : -1;
  }

  @Test
  void messagesArriveInTheirOrder() {
    DriverPort port = port(url(server));
    get(subscribe(port, recorder));
    for (int i = 0; i < 300; i++) {
      assertThat(publish("m" + i)).as("confirmed means subscribed").isEqualTo(1);
    }
    eventually(() -> recorder.messages.size() == 300);
    for (int i = 0; i < 300; i++) {
      assertThat(recorder.messages.get(i)).isEqualTo("m" + i);
    }
    assertThat(recorder.restored).hasValue(0);
  }

  @Test
  void aSecondSubscriptionOfTheSameSubscriberJoinsTheFirst() {
    DriverPort port = port(url(server));
    get(subscribe(port, recorder));
    get(subscribe(port, recorder));
    assertThat(publish("once")).isEqualTo(1);
    eventually(() -> recorder.messages.size() == 1);
    staysTrue(() -> recorder.messages.size() == 1);
  }

  @Test
  void anEndedSubscriptionIsGone() {
    DriverPort port = port(url(server));
    get(subscribe(port, recorder));
    Recorder other = new Recorder();
    get(onThread(() -> port.subscribe(key("k"), key("other"), other).thenApply(done -> true)));
    port.unsubscribe(recorder);
    eventually(() -> publish("late") == 0);
    server.command("PUBLISH", "other", "still");
    eventually(() -> other.messages.equals(List.of("still")));
    assertThat(recorder.messages).isEmpty();
    get(subscribe(port, recorder));
    assertThat(publish("again")).isEqualTo(1);
    eventually(() -> recorder.messages.equals(List.of("again")));
  }

  @Test
  void aSubscriptionThatTheServerEndedIsRestored() {
    DriverPort port = port(url(server));
    get(subscribe(port, recorder));
    server.command("CLIENT", "KILL", "TYPE", "pubsub");
    eventually(() -> recorder.restored.get() >= 1);
    eventually(() -> publish("after") == 1);
    eventually(() -> recorder.messages.contains("after"));
  }

  @Test
  void aSubscriptionSurvivesARestartOfTheServer() {
    DriverPort port = port(url(server), SHORT);
    subscribeInTheEnd(port);
    server.kill();
    server.restart(RedisServer.Data.KEPT);
    eventually(() -> recorder.restored.get() >= 1);
    eventually(() -> publish("after") == 1);
    eventually(() -> recorder.messages.contains("after"));
  }

  @Test
  void aSubscriptionOnASilentConnectionIsRestoredWhenACommandShowsTheSilence() {
    FaultyProxy proxy = closing(FaultyProxy.to(server));
    DriverPort port = port(url(proxy), SHORT);
    subscribeInTheEnd(port);
    eventuallyWorks(port, "k");
    proxy.blackHole();
    // Several, so that the port has the time to find out that the subscription is silent, too.
    for (int i = 0; i < 4; i++) {
      // A command that is sent just before the silent connection is closed is lost with it.
      assertFailure(
          failure(sent(port, "k", "GET", "k")),
          FailureKind.TIMEOUT,
          FailureKind.UNREACHABLE,
          FailureKind.CONNECTION_LOST);
    }
    // The old connection would go on as if nothing had happened, and what was said is lost.
    proxy.heal();
    eventually(() -> recorder.restored.get() >= 1);
    eventually(() -> publish("after") >= 1);
    eventually(() -> recorder.messages.contains("after"));
  }

  @Test
  void aSubscriptionThatTheServerRefusesSaysWhy() {
    server.command("ACL", "SETUSER", "deaf", "on", ">s3cr3t", "~*", "resetchannels", "+@all");
    DriverPort port = port("redis://deaf:s3cr3t@" + server.host() + ":" + server.port());
    Throwable refused = failure(subscribe(port, recorder));
    assertErrorReply(refused, "NOPERM");
    assertThat(trace(refused)).doesNotContain("s3cr3t");
  }

  @Test
  void aSubscriptionOnAServerThatIsNotThereFailsInTime() {
    FaultyProxy proxy = closing(FaultyProxy.to(server));
    proxy.refuse();
    DriverPort port = port(url(proxy), SHORT);
    assertFailure(failure(subscribe(port, recorder)), FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
    proxy.heal();
    subscribeInTheEnd(port);
    assertThat(publish("x")).isEqualTo(1);
  }

  @Test
  void theChannelOfTheShardIsHeardToo() {
    DriverPort port = port(url(server));
    Recorder sharded = Recorder.onShard();
    get(subscribe(port, sharded));
    assertThat(server.command("SPUBLISH", "news", "shard")).isEqualTo(1L);
    assertThat(publish("all")).isEqualTo(1);
    eventually(() -> sharded.messages.containsAll(List.of("shard", "all")));
  }

  @Test
  void anEndedSubscriptionToTheShardIsGone() {
    DriverPort port = port(url(server));
    Recorder sharded = Recorder.onShard();
    get(subscribe(port, sharded));
    assertThat(server.command("SPUBLISH", "news", "shard")).isEqualTo(1L);
    port.unsubscribe(sharded);
    eventually(() -> Long.valueOf(0).equals(server.command("SPUBLISH", "news", "late")));
    eventually(() -> publish("late") == 0);
  }

  @Test
  void aServerWithoutShardChannelsIsHeardAllTheSame() {
    try (RedisServer old = RedisServer.builder().version(RedisVersion.V6_2).start()) {
      DriverPort port = port(url(old));
      Recorder sharded = Recorder.onShard();
      get(subscribe(port, sharded));
      assertThat(old.command("PUBLISH", "news", "all")).isEqualTo(1L);
      eventually(() -> sharded.messages.equals(List.of("all")));
      port.close();
    }
  }
}
