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

/**
 * An honest server, a rogue before it, and a client that talks to the rogue: in a JVM of its own,
 * so that replies of gigabytes end there.
 */
final class Scene implements AutoCloseable {
  static final String SECRET = "Xhunter2Y";
  static final Duration COMMAND = Duration.ofMillis(250);
  static final Duration CONNECT = Duration.ofMillis(600);
  static final Duration LEASE = Duration.ofSeconds(2);

  /** What a busy machine, and the collector of a full heap, may add. */
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
    List<String> memory = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m");
    return new Scene(server, rogue, ChildJvm.start(memory, Victim.class, url));
  }

  /** Has the client do something; within the time that it may take, and without a secret. */
  String does(String what, Duration atMost) throws Exception {
    victim.tell(what);
    String line = victim.line();
    assertThat(line).as(what).doesNotContain(SECRET).isNotEqualTo("null");
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

  /** Whatever the rogue did before, the same client acquires and releases a lock again. */
  void awaitRecovery(String name) {
    rogue.behave();
    await()
        .atMost(RECOVERY)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> does("try " + name).equals("HELD") && does("release " + name).equals("RELEASED"));
  }

  /** Acquires a lock, on a machine that may be busy. */
  void awaitHeld(String name) {
    await()
        .atMost(RECOVERY)
        .pollDelay(Duration.ZERO)
        .until(() -> does("try " + name).equals("HELD"));
  }

  /** The lock is free, or becomes so when its lease ends. */
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

  /** Another client takes a lock, past the rogue. */
  void take(String name) {
    honestly("SET", name, "another");
    honestly("PEXPIRE", name, "60000");
  }

  /** Another client has released it. */
  void giveBack(String name) {
    honestly("DEL", name);
  }

  private void honestly(String... words) {
    try (RespConnection asked = RespConnection.open(server.host(), server.port(), RECOVERY)) {
      asked.call("AUTH", SECRET);
      asked.call(words);
    }
  }

  @Override
  public void close() {
    victim.close();
    rogue.close();
    server.close();
  }
}
