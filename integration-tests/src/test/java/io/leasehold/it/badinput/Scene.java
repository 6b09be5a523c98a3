package io.leasehold.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.it.Driver;
import io.leasehold.it.redlock.ChildJvm;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import io.leasehold.testkit.RogueProxy;
import java.time.Duration;
import java.util.List;

/** An honest server, a rogue before it, and a client with little memory that talks to the rogue. */
final class Scene implements AutoCloseable {
  static final String SECRET = "Xhunter2Y";
  static final Duration COMMAND = Duration.ofMillis(250);
  static final Duration CONNECT = Duration.ofMillis(600);
  static final Duration LEASE = Duration.ofSeconds(2);

  /** What a busy machine, and the collector of a small heap, may add. */
  private static final Duration TOLERANCE = Duration.ofSeconds(10);

  private static final Duration RECOVERY = Duration.ofSeconds(60);

  final RedisServer server;
  final RogueProxy rogue;
  private final ChildJvm victim;

  private Scene(RedisServer server, RogueProxy rogue, ChildJvm victim) {
    this.server = server;
    this.rogue = rogue;
    this.victim = victim;
  }

  static Scene of(Driver driver, long seed) throws Exception {
    RedisServer server = RedisServer.builder().password(SECRET).start();
    RogueProxy rogue = RogueProxy.to(server, seed);
    String url =
        driver.url(
            "redis",
            "default:" + SECRET + "@127.0.0.1:" + rogue.port(),
            "commandTimeout=" + COMMAND.toMillis() + "ms",
            "connectTimeout=" + CONNECT.toMillis() + "ms",
            "leaseTime=" + LEASE.toMillis() + "ms");
    List<String> little =
        List.of("-Xmx48m", "-XX:MaxDirectMemorySize=48m", "-XX:+ExitOnOutOfMemoryError");
    return new Scene(server, rogue, ChildJvm.start(little, Victim.class, url));
  }

  /** Has the client do something; within the time that it may take, and without a secret. */
  String does(String what, Duration atMost) throws Exception {
    victim.tell(what);
    String line = victim.line();
    assertThat(line).as(what).doesNotContain(SECRET).doesNotContain("OutOf").isNotEqualTo("null");
    String[] words = line.split(" ", 3);
    assertThat(Duration.ofMillis(Long.parseLong(words[1])))
        .as(line)
        .isLessThan(atMost.plus(TOLERANCE));
    return words[0];
  }

  /** The same for what takes a command. */
  String does(String what) throws Exception {
    return does(what, COMMAND);
  }

  /** Opens the client, on a machine that may be busy, while the rogue behaves. */
  void awaitOpen() {
    await().atMost(RECOVERY).until(() -> does("open", RECOVERY).equals("OPEN"));
    awaitRecovery("first");
  }

  /** Whatever the rogue did before, the same client takes and gives back a lock again. */
  void awaitRecovery(String name) {
    rogue.behave();
    await()
        .atMost(RECOVERY)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> does("try " + name).equals("HELD") && does("release " + name).equals("RELEASED"));
  }

  /** Nobody holds the lock any more, or the end of its lease is near. */
  void awaitFree(String name) {
    try (RespConnection asked = RespConnection.open(server.host(), server.port(), RECOVERY)) {
      asked.call("AUTH", SECRET);
      assertThat((Long) asked.call("PTTL", name)).isLessThanOrEqualTo(LEASE.toMillis());
      await()
          .atMost(LEASE.plus(TOLERANCE))
          .pollDelay(Duration.ZERO)
          .until(() -> Long.valueOf(0).equals(asked.call("EXISTS", name)));
    }
  }

  /** Somebody else takes a lock, past the rogue. */
  void take(String name) {
    honestly("SET", name, "somebody");
    honestly("PEXPIRE", name, "60000");
  }

  /** Somebody else has done with it. */
  void giveBack(String name) {
    honestly("DEL", name);
  }

  private void honestly(String... words) {
    try (RespConnection asked = RespConnection.open(server.host(), server.port(), RECOVERY)) {
      asked.call("AUTH", SECRET);
      asked.call(words);
    }
  }

  /** What the client gave up it has closed. */
  void awaitNoConnection() {
    await()
        .atMost(RECOVERY)
        .untilAsserted(() -> assertThat(rogue.openConnections()).as("%s", rogue).isZero());
  }

  /** None of a client's or a driver's threads outlives it. */
  void awaitNoThread() {
    await().atMost(RECOVERY).until(() -> does("threads").equals("0"));
  }

  @Override
  public void close() {
    victim.close();
    rogue.close();
    server.close();
  }
}
