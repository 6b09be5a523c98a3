package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisCommand;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A {@link DriverPort} on a cluster. */
@Tag("full")
@SuppressWarnings("exports") // tests run on the class path
public abstract class PortClusterContract extends PortFixture {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static @Nullable RedisCluster shared;

  /** For the test of one driver. */
  protected PortClusterContract() {}

  @BeforeAll
  static void startCluster() {
    shared = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
  }

  @AfterAll
  static void stopCluster() {
    cluster().close();
    shared = null;
  }

  private static RedisCluster cluster() {
    return Objects.requireNonNull(shared);
  }

  private static String url(RedisCluster cluster) {
    return cluster.nodes().stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  private static RedisServer otherThan(RedisServer node) {
    return cluster().masters().stream().filter(other -> other != node).findFirst().orElseThrow();
  }

  @Test
  void everyKeyIsServedByItsOwner() {
    DriverPort port = port(url(cluster()));
    List<byte[]> keys = new ArrayList<>();
    List<RedisCommand> commands = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      keys.add(key("all-" + i));
      commands.add(RedisCommand.of("SET", "all-" + i, "v" + i));
      assertThat(works(port, "one-" + i)).isTrue();
      assertThat(cluster().masterOf("one-" + i).command("EXISTS", "one-" + i)).isEqualTo(1L);
    }
    get(onThread(() -> CompletableFuture.completedStage(port.sendAll(keys, commands))))
        .forEach(reply -> assertThat(text(get(reply))).isEqualTo("OK"));
    for (int i = 0; i < 60; i++) {
      assertThat(cluster().masterOf("all-" + i).command("EXISTS", "all-" + i)).isEqualTo(1L);
      List<Object> alone =
          askAlone(
              port,
              "all-" + i,
              RedisCommand.of("GET", "all-" + i),
              RedisCommand.of("WAIT", "0", "1"));
      assertThat(plain(alone)).isEqualTo(List.of("v" + i, 0L));
    }
  }

  @Test
  void scriptsAreLoadedAndRunAtTheOwner() {
    DriverPort port = port(url(cluster()));
    for (int i = 0; i < 20; i++) {
      String name = "script-" + i;
      Object digest = ask(port, name, "SCRIPT", "LOAD", "return {KEYS[1], ARGV[1]}");
      Object reply = ask(port, name, "EVALSHA", Objects.requireNonNull(digest), "1", name, "a");
      assertThat(plain(reply)).isEqualTo(List.of(name, "a"));
    }
  }

  @Test
  void everyPrimaryIsThere() {
    DriverPort port = port(url(cluster()));
    List<DriverPort.Primary> primaries = get(onThread(port::primaries));
    assertThat(primaries).hasSize(3);
    List<String> ids = new ArrayList<>();
    for (DriverPort.Primary primary : primaries) {
      ids.add(text(get(onThread(() -> primary.send(RedisCommand.of("CLUSTER", "MYID"))))));
    }
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void aMovedSlotIsFollowed() {
    DriverPort port = port(url(cluster()));
    String name = "moved";
    assertThat(works(port, name)).isTrue();
    int slot = cluster().slotOf(name);
    RedisServer from = cluster().masterOf(slot);
    RedisServer to = otherThan(from);
    SlotMove move = cluster().beginMove(slot, to);
    assertThat(text(ask(port, name, "GET", name))).as("still there").isEqualTo("x");
    move.moveKeys();
    assertThat(text(ask(port, name, "GET", name))).as("ASK is followed").isEqualTo("x");
    List<Object> alone =
        askAlone(port, name, RedisCommand.of("GET", name), RedisCommand.of("WAIT", "0", "1"));
    assertThat(text(alone.get(0))).as("ASK is followed").isEqualTo("x");
    assertErrorReply(ask(port, name, "EXISTS", name, "another{" + name + "}"), "TRYAGAIN");
    move.finish();
    assertThat(text(ask(port, name, "GET", name))).as("MOVED is followed").isEqualTo("x");
    assertThat(text(askAlone(port, name, RedisCommand.of("GET", name)).get(0))).isEqualTo("x");
  }

  @Test
  void aSubscriptionIsMadeAtTheOwnerAndAMoveIsReported() {
    DriverPort port = port(url(cluster()));
    Recorder recorder = new Recorder();
    String name = "watched";
    int slot = cluster().slotOf(name);
    RedisServer from = cluster().masterOf(slot);
    RedisServer to = otherThan(from);
    get(subscribe(port, name, recorder));
    assertThat(receiversAt(from, name)).isEqualTo(1L);
    eventually(() -> recorder.messages.size() == 1);
    cluster().moveSlot(slot, to);
    ask(port, name, "GET", name); // the old owner says MOVED
    eventually(() -> recorder.restored.get() >= 1);
    get(subscribe(port, name, recorder));
    eventually(() -> receiversAt(to, name) == 1);
    eventually(() -> recorder.messages.size() >= 2);
  }

  /** PUBLISH in a script counts the subscribers of this node alone. */
  private static long receiversAt(RedisServer node, String name) {
    String script = "return redis.call('PUBLISH', 'news', 'at ' .. KEYS[1])";
    Object reply = node.command("EVAL", script, "1", name);
    return reply instanceof Long count ? count : -1;
  }

  private CompletableFuture<Boolean> subscribe(DriverPort port, String name, Recorder recorder) {
    return recorder.subscribe(
        () ->
            onThread(
                () ->
                    port.subscribe(key(name), key("news"), recorder).thenApply(confirmed -> true)));
  }

  @Test
  void aNodeThatDiesIsReplacedByItsReplica() {
    try (RedisCluster cluster = RedisCluster.start()) {
      DriverPort port = port(url(cluster), SHORT);
      eventuallyWorks(port, "a");
      RedisServer master = cluster.masterOf("a");
      master.kill();
      cluster.awaitMasterOtherThan(master, "a", BOUND);
      eventuallyWorks(port, "b{a}");
      assertThat(doubts.get()).isPositive();
    }
  }

  @Test
  void aServerThatIsNoClusterIsReported() {
    try (RedisServer server = RedisServer.start()) {
      DriverPort port = port("redis-cluster://127.0.0.1:" + server.port(), Duration.ofSeconds(3));
      assertThat(failure(sent(port, "k", "PING"))).isInstanceOf(RuntimeException.class);
    }
  }
}
