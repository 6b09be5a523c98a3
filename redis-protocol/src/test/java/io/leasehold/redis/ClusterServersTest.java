package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is known about a cluster, in orders of events that clusters rarely show. */
class ClusterServersTest {
  private static final byte[] KEY = HandDriver.bytes("key");
  private static final int SLOT = ClusterSlots.of(KEY);

  private final TestContext context = new TestContext();
  private final HandDriver driver = new HandDriver();
  private final AtomicInteger restored = new AtomicInteger();
  private volatile boolean moved;
  private final ClusterServers servers =
      new ClusterServers(
          new Wiring(driver, context, Runnable::run, Duration.ofSeconds(2), Duration.ofMillis(500)),
          check(),
          RedisServers.cluster(List.of(Endpoint.data("one", 1))));

  @AfterEach
  void close() {
    servers.close();
    context.close();
  }

  @Test
  void whoListensIsToldOfASlotThatARedirectionHasTold() {
    driver.answers = this::answer;
    join(servers.send(KEY, RedisCommand.of("GET", KEY)));
    join(servers.listen(KEY, HandDriver.bytes("channel"), subscriber()));
    assertThat(driver.hearings.get(0).server.host()).isEqualTo("one");
    moved = true;
    join(servers.send(KEY, RedisCommand.of("GET", KEY)));
    await().atMost(5, TimeUnit.SECONDS).until(() -> restored.get() > 0);
  }

  @Test
  void whoListensNoMoreIsToldOfNothing() {
    driver.answers = this::answer;
    join(servers.send(KEY, RedisCommand.of("GET", KEY)));
    AtomicInteger told = new AtomicInteger();
    RedisSubscriber stays =
        new RedisSubscriber() {
          @Override
          public void message(byte[] payload) {}

          @Override
          public void restored() {
            told.incrementAndGet();
          }
        };
    RedisSubscriber leaves = subscriber();
    join(servers.listen(KEY, HandDriver.bytes("channel"), stays));
    join(servers.listen(KEY, HandDriver.bytes("other"), leaves));
    servers.unlisten(leaves);
    assertThat(driver.hearings.stream().map(hearing -> hearing.closed))
        .containsExactly(false, true);
    moved = true;
    join(servers.send(KEY, RedisCommand.of("GET", KEY)));
    await().atMost(5, TimeUnit.SECONDS).until(() -> told.get() > 0);
    assertThat(restored).hasValue(0);
  }

  @Test
  void manyExtensionsOnOneServerWaitForItsReplicasOnce() {
    driver.answers = this::answer;
    ScriptRunner scripts = new ScriptRunner(new ServersPort(driver, servers, true));
    Replication replication =
        Replication.of(LockUrl.parse("lock:redis-cluster://one?minReplicas=1"), scripts);
    List<ScriptCall> calls = new ArrayList<>();
    for (int i = 0; i < 3 * LoneChannels.MOST; i++) {
      LockKeys keys = LockKeys.of("name-" + i);
      calls.add(
          Script.EXTEND.call(
              List.of(keys.lock(), keys.forced(), keys.fence()), 600_000, "owner", 1_000));
    }
    List<CompletionStage<List<?>>> extended = replication.extend(calls);
    extended.forEach(ClusterServersTest::join);
    assertThat(driver.sent().stream().filter(command -> command.name().equals("WAIT")))
        .hasSizeLessThanOrEqualTo(2);
  }

  private Object answer(Endpoint server, RedisCommand command) {
    return switch (command.name()) {
      case "CLUSTER" -> slots();
      case "WAIT" -> 1L;
      case "EVALSHA" -> List.of(HandDriver.bytes("1"), HandDriver.bytes("EXTENDED"));
      default ->
          moved && server.host().equals("one")
              ? new RedisErrorReply("MOVED " + SLOT + " two:2")
              : HandDriver.bytes("OK");
    };
  }

  /** Both serve half of the slots; the key's is the first one's until it has moved. */
  private List<Object> slots() {
    List<Object> ranges = new ArrayList<>();
    for (int slot = 0; slot < ClusterSlots.COUNT; slot += 1) {
      boolean second = slot == SLOT ? moved : slot % 2 == 1;
      ranges.add(
          List.of(
              (long) slot,
              (long) slot,
              List.of(HandDriver.bytes(second ? "two" : "one"), second ? 2L : 1L)));
    }
    return ranges;
  }

  private RedisSubscriber subscriber() {
    return new RedisSubscriber() {
      @Override
      public void message(byte[] payload) {}

      @Override
      public void restored() {
        restored.incrementAndGet();
      }
    };
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
    return stage.toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
  }
}
