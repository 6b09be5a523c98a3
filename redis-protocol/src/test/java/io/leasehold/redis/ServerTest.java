package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the connections to a server, in orders of events that servers rarely show. */
class ServerTest {
  private static final Duration COMMAND = Duration.ofSeconds(1);
  private static final Endpoint ONE = Endpoint.data("one", 1);
  private static final Endpoint TWO = Endpoint.data("two", 2);
  private static final byte[] CHANNEL = HandDriver.bytes("channel");
  private static final List<RedisCommand> PING = List.of(RedisCommand.of("PING"));

  private final TestContext context = new TestContext();
  private final HandDriver driver = new HandDriver();
  private final Wiring wiring =
      new Wiring(driver, context, Runnable::run, Duration.ofSeconds(2), COMMAND);
  private final AtomicReference<Endpoint> primary = new AtomicReference<>(ONE);
  private final Restored subscriber = new Restored();
  private final Server server = server();

  @AfterEach
  void close() {
    server.close();
    context.close();
  }

  @Test
  void whoListensWhileTheSubscriptionIsMadeAnewDoesNotEndIt() {
    join(server.listen(CHANNEL, subscriber));
    driver.connects = false;
    driver.hearings.get(0).events.broken();
    await().until(() -> driver.hearings.size() == 2);
    assertThat(kind(server.listen(CHANNEL, subscriber))).isEqualTo(FailureKind.UNREACHABLE);
    HandDriver.Hearing anew = driver.hearings.get(1);
    anew.stage.complete(anew);
    await().until(() -> subscriber.restored.get() == 1);
    assertThat(anew.closed).isFalse();
  }

  @Test
  void subscribersHaveAConnectionEachAndOneEndsWithoutTheOther() {
    Restored other = new Restored();
    join(server.listen(CHANNEL, subscriber));
    join(server.listen(CHANNEL, other));
    join(server.listen(CHANNEL, other)); // joins
    assertThat(driver.hearings).hasSize(2);
    server.unlisten(other);
    server.unlisten(other);
    assertThat(driver.hearings.get(1).closed).isTrue();
    assertThat(driver.hearings.get(0).closed).isFalse();
    driver.hearings.get(0).events.broken();
    await().until(() -> subscriber.restored.get() == 1);
    assertThat(driver.hearings).as("what was ended is not made anew").hasSize(3);
    assertThat(other.restored).hasValue(0);
  }

  @Test
  void whoEndsWhileItIsSubscribedLeavesNothingBehind() {
    driver.connects = false;
    CompletionStage<?> pending = server.listen(CHANNEL, subscriber);
    server.unlisten(subscriber);
    HandDriver.Hearing hearing = driver.hearings.get(0);
    hearing.stage.complete(hearing);
    assertThat(kind(pending)).isNotNull();
    assertThat(hearing.closed).isTrue();
  }

  @Test
  void aServerThatIsClosedIsNotListenedTo() {
    server.close();
    assertThat(kind(server.listen(CHANNEL, subscriber))).isEqualTo(FailureKind.CLOSED);
    assertThat(driver.hearings).isEmpty();
  }

  @Test
  void whoJoinsASubscriptionThatAnotherGivesUpIsNotToldThatTheClientIsClosed() throws Exception {
    driver.connects = false;
    CompletionStage<?> first = server.listen(CHANNEL, subscriber);
    Thread.sleep(COMMAND.toMillis() / 2);
    CompletionStage<?> second = server.listen(CHANNEL, subscriber);
    assertThat(kind(first)).isIn(FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
    HandDriver.Hearing hearing = driver.hearings.get(0);
    hearing.stage.complete(hearing);
    assertThat(kind(second)).isNotEqualTo(FailureKind.CLOSED);
    assertThat(hearing.closed).isTrue();
  }

  @Test
  void aCommandDoesNotWaitForTheFirstConnectionForLongerThanACommandMayTake() {
    driver.connects = false;
    CompletionStage<List<Object>> early = server.send(PING);
    assertThat(kind(early)).isEqualTo(FailureKind.UNREACHABLE);
    HandDriver.Opening opening = driver.openings.get(0);
    opening.stage.complete(opening);
    await().until(() -> server.endpoint() != null);
    assertThat(driver.sent()).isEmpty(); // not for somebody who has gone
  }

  @Test
  void aConnectionThatWasNotMadeInTimeHasSentNothing() {
    driver.connects = false;
    server.begin();
    driver
        .openings
        .get(0)
        .stage
        .completeExceptionally(
            new RedisConnectionFailure(FailureKind.TIMEOUT, "the check took too long", null));
    assertThat(kind(server.send(PING))).isEqualTo(FailureKind.UNREACHABLE);
  }

  @Test
  void channelsOfOnesOwnEndWithTheConnectionToTheServerThatWasReplaced() {
    driver.answers = (endpoint, command) -> HandDriver.bytes("OK");
    join(server.sendAlone(PING));
    HandDriver.Opening alone = driver.openings.get(1);
    // Another server answers at the same address now; this one is alive, and a replica.
    driver.answers = (endpoint, command) -> new RedisErrorReply("READONLY it is a replica");
    join(server.sendAlone(PING));
    await().until(() -> driver.openings.size() >= 3 && server.endpoint() != null);
    driver.answers = (endpoint, command) -> HandDriver.bytes("OK");
    join(server.sendAlone(PING));
    assertThat(alone.closed).isTrue();
    assertThat(driver.openings).hasSize(4);
  }

  @Test
  void aSubscriptionThatWasMadeOnTheFormerPrimaryFollows() {
    driver.connects = false;
    CompletionStage<?> listening = server.listen(CHANNEL, subscriber);
    primary.set(TWO); // between the sentinel's answer and the connection
    driver.connects = true;
    server.begin();
    await().until(() -> TWO.equals(server.endpoint()));
    HandDriver.Hearing former = driver.hearings.get(0);
    former.stage.complete(former);
    join(listening);
    await().until(() -> driver.hearings.size() == 2);
    assertThat(driver.hearings.get(1).server).isEqualTo(TWO);
    assertThat(former.closed).isTrue();
    await().until(() -> subscriber.restored.get() == 1);
  }

  @Test
  void aSentinelThatKnowsNothingNewIsNotAskedForEver() {
    Endpoint stale = Endpoint.sentinel("stale", 1);
    Endpoint fresh = Endpoint.sentinel("fresh", 2);
    driver.answers =
        (endpoint, command) -> {
          if (endpoint.equals(stale)) {
            return List.of(HandDriver.bytes("one"), HandDriver.bytes("1"));
          }
          return endpoint.equals(fresh)
              ? List.of(HandDriver.bytes("two"), HandDriver.bytes("2"))
              : new RedisErrorReply("NOREPLICAS not enough of them");
        };
    Sentinels sentinels =
        new Sentinels(
            wiring,
            new RedisServers(RedisServers.Topology.SENTINEL, List.of(stale, fresh), "m"),
            LockUrl.parse("lock:redis-sentinel://stale,fresh?masterName=m"));
    OneServer one = OneServer.named(wiring, check(), sentinels);
    try {
      await()
          .until(
              () -> {
                one.send(CHANNEL, PING.get(0)); // cut off from its replicas, it says so
                return driver.openings.stream().anyMatch(opening -> opening.server.equals(TWO));
              });
    } finally {
      one.close();
    }
  }

  private Server server() {
    Server[] made = new Server[1];
    made[0] =
        new Server(
            wiring,
            check(),
            () -> CompletableFuture.completedStage(primary.get()),
            () -> context.scheduler().schedule(() -> made[0].recheck(), 10_000_000L));
    return made[0];
  }

  private static ServerCheck check() {
    LockUrl url = LockUrl.parse("lock:redis://one");
    Noticed noticed = new Noticed("test");
    return new ServerCheck(
        Script.loadedAtOnce(Options.Layout.DISTLOCK),
        new Guard(url, RedisServers.of(url), noticed),
        noticed);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(5, java.util.concurrent.TimeUnit.SECONDS).join();
  }

  private static FailureKind kind(CompletionStage<?> stage) {
    try {
      throw new AssertionError("did not fail: " + join(stage));
    } catch (CompletionException e) {
      return Failures.of(e).kind();
    }
  }

  private static final class Restored implements RedisSubscriber {
    private final AtomicInteger restored = new AtomicInteger();

    @Override
    public void message(byte[] payload) {}

    @Override
    public void restored() {
      restored.incrementAndGet();
    }
  }
}
