package io.leasehold.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see and do. */
class AdminCommandsTest {
  private static RedisServer server;

  private final Path folder;
  private final String lock = "lock-" + UUID.randomUUID();

  AdminCommandsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  static void startServer() {
    server = RedisServer.builder().password("s3cret-pw").start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static String url() {
    return "lock:redis://:s3cret-pw@127.0.0.1:" + server.port() + Ctl.PATIENT;
  }

  private static LockClient open() {
    return Locks.open(url().replace("lock:redis", "lock:jedis:redis"));
  }

  private static Ended run(String... words) {
    return runAt(url(), words);
  }

  private static Ended runAt(String url, String... words) {
    try (Ctl ctl = Ctl.start(Map.of("LEASEHOLD_URL", url), words)) {
      Ended ended = ctl.await();
      assertThat(ended.out() + ended.err()).doesNotContain("s3cret");
      return ended;
    }
  }

  @Test
  void listAndInspectTellWhoHoldsIt() {
    try (LockClient client = open();
        Lease lease = client.lock(lock).tryAcquire().orElseThrow()) {
      Ended ended = run("list", "lock-*", "--json");
      assertThat(ended.code()).as(ended.err()).isZero();
      JsonObject found =
          new JsonArray(ended.out())
              .stream()
                  .map(JsonObject.class::cast)
                  .filter(one -> one.getString("lock").equals(lock))
                  .findFirst()
                  .orElseThrow();
      JsonObject holder = found.getJsonObject("holder");
      assertThat(holder.getLong("token")).isEqualTo(lease.fencingToken());
      assertThat(holder.getLong("process")).isEqualTo(ProcessHandle.current().pid());
      assertThat(holder.getLong("remainingMillis")).isBetween(1L, 30_000L);

      assertThat(run("list", lock).out())
          .startsWith("LOCK")
          .contains(lock, Long.toString(lease.fencingToken()))
          .hasLineCount(2);
      assertThat(run("inspect", lock, "--check").code()).isEqualTo(ExitCodes.NO);
      assertThat(new JsonObject(run("inspect", lock, "--json").out()).getBoolean("held")).isTrue();
    }
    Ended free = run("inspect", lock, "--check");
    assertThat(free.code()).isZero();
    assertThat(free.out()).contains("nobody");
    assertThat(new JsonArray(run("list", lock, "--json").out())).isEmpty();
  }

  @Test
  void aNameThatATerminalWouldObeyIsShownAndNotObeyed() {
    String hostile = lock + "\n\u001b[2Jfree  nobody";
    try (LockClient client = open();
        Lease lease = client.lock(hostile).tryAcquire().orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(run("list", lock + "*").out())
          .contains(lock + "\\u000a\\u001b[2Jfree  nobody  ")
          .doesNotContain("\u001b")
          .hasLineCount(2);
      JsonArray listed = new JsonArray(run("list", lock + "*", "--json").out());
      assertThat(listed.getJsonObject(0).getString("lock")).as("for programs").isEqualTo(hostile);
      Ended released = run("release", hostile, "--force", "--yes", "--reason", "a\u001b[2J");
      assertThat(released.out()).contains("\\u001b[2J").doesNotContain("\u001b").hasLineCount(1);
      assertThat(released.err()).contains("LH-218").doesNotContain("\u001b").hasLineCount(1);
    }
    Ended free = run("release", hostile, "--force", "--yes");
    assertThat(free.err()).contains("nobody holds").doesNotContain("\u001b").hasLineCount(1);
  }

  @Test
  void watchTellsEachChange() {
    try (LockClient client = open();
        Ctl watch =
            Ctl.start(
                Map.of("LEASEHOLD_URL", url()), "watch", lock, "--json", "--interval", "20ms")) {
      await().atMost(Ctl.PATIENCE).until(() -> told(watch.out()).equals(List.of(false)));
      Lease lease = client.lock(lock).tryAcquire().orElseThrow();
      await().atMost(Ctl.PATIENCE).until(() -> told(watch.out()).equals(List.of(false, true)));
      lease.release();
      await()
          .atMost(Ctl.PATIENCE)
          .until(() -> told(watch.out()).equals(List.of(false, true, false)));
      watch.signal("INT");
      Ended ended = watch.await();
      assertThat(ended.code()).isEqualTo(130);
      assertThat(told(ended.out())).containsExactly(false, true, false);
    }
    assertThat(run("watch", "--until-free", lock).code()).isZero();
  }

  /** Held or not, from line to line. Who holds it may become known a moment later: a line more. */
  private static List<Boolean> told(String lines) {
    List<Boolean> told = new ArrayList<>();
    int finished = lines.lastIndexOf('\n') + 1; // the last one may be in the middle of its writing
    lines
        .substring(0, finished)
        .lines()
        .map(JsonObject::new)
        .map(line -> line.getBoolean("held"))
        .filter(held -> told.isEmpty() || !told.get(told.size() - 1).equals(held))
        .forEachOrdered(told::add);
    return told;
  }

  @Test
  void aLockIsTakenAwayOnlyByForceAndWithAYesAndIsWrittenDown() throws Exception {
    Path audit = folder.resolve("audit");
    try (LockClient client = open()) {
      Lease lease = client.lock(lock).tryAcquire().orElseThrow();
      assertThat(run("release", lock, "--yes").code()).isEqualTo(ExitCodes.USAGE);
      Ended unasked = run("release", lock, "--force");
      assertThat(unasked.code()).isEqualTo(ExitCodes.USAGE);
      assertThat(unasked.err()).contains("--yes", "Nothing was done");
      String nowhere = folder.resolve("no/such/folder/audit").toString();
      assertThat(run("release", lock, "--force", "--yes", "--audit-file", nowhere).code())
          .isEqualTo(ExitCodes.CANNOT_CREATE);
      assertThat(client.inspect(lock).holder()).isPresent();

      Ended ended =
          run(
              "release",
              "--force",
              "--yes",
              "--json",
              "--reason",
              "it is \"dead\"",
              "--audit-file",
              audit.toString(),
              lock);
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("LH-218");
      assertThat(client.inspect(lock).holder()).isEmpty();
      List<JsonObject> lines = Files.readAllLines(audit).stream().map(JsonObject::new).toList();
      assertThat(lines)
          .extracting(line -> line.getString("outcome"))
          .containsExactly("intended", "released");
      assertThat(lines.get(1)).isEqualTo(new JsonObject(ended.out()));
      assertThat(lines.get(1).getString("reason")).isEqualTo("it is \"dead\"");
      assertThat(lines.get(1).getString("servers")).contains("***@127.0.0.1");
      assertThat(lines.get(1).getJsonObject("status").getJsonObject("holder").getLong("token"))
          .isEqualTo(lease.fencingToken());

      assertThat(run("release", "--force", "--yes", lock).code()).isEqualTo(ExitCodes.NO);
    }
  }

  @Test
  void vouchingLetsNewServersGrant() {
    List<RedisServer> servers = new ArrayList<>();
    try {
      IntStream.range(0, 3).forEach(i -> servers.add(RedisServer.start()));
      String hosts =
          String.join(",", servers.stream().map(one -> "127.0.0.1:" + one.port()).toList());
      String quorum = "lock:redlock:redis://" + hosts + Ctl.PATIENT;
      Ended guarded = runAt(quorum, "run", "--lock", lock, "-n", "--", "true");
      assertThat(guarded.code()).as(guarded.err()).isEqualTo(ExitCodes.UNAVAILABLE);
      assertThat(guarded.err()).contains("GUARDED");
      assertThat(runAt(quorum, "vouch").code()).isEqualTo(ExitCodes.USAGE);
      Ended vouched = runAt(quorum, "vouch", "--yes", "--json");
      assertThat(vouched.code()).as(vouched.err()).isZero();
      assertThat(new JsonObject(vouched.out()).getBoolean("vouched")).isTrue();
      Ended held = runAt(quorum, "run", "--lock", lock, "-n", "--", "echo", "in");
      assertThat(held.out()).as(held.err()).isEqualTo("in\n");
      servers.get(2).kill();
      assertThat(runAt(quorum, "vouch", "--yes").code()).isEqualTo(ExitCodes.UNAVAILABLE);
    } finally {
      servers.forEach(RedisServer::close);
    }
    Ended unguarded = run("vouch", "--yes");
    assertThat(unguarded.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(unguarded.err()).contains("guard=on");
  }

  @Test
  void benchMeasures() {
    Ended ended = run("bench", "--time", "200ms", "--threads", "2", "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    JsonArray parts = new JsonObject(ended.out()).getJsonArray("parts");
    assertThat(parts).hasSize(3);
    assertThat(parts.getJsonObject(0).getInteger("cycles")).isPositive();
    assertThat(parts.getJsonObject(2).getInteger("violations")).isZero();
  }

  @Test
  void providersTellsWhatThereIs() {
    Ended ended = run("providers", "--json");
    assertThat(ended.code()).isZero();
    assertThat(
            new JsonArray(ended.out())
                .stream().map(one -> ((JsonObject) one).getString("provider")))
        .containsExactly("jedis", "lettuce", "memory", "redlock", "vertx");
    assertThat(new JsonArray(ended.out()).getJsonObject(0).getString("driverVersion"))
        .matches("\\d+\\.\\d+.*");
    assertThat(run("providers").out()).contains("quorum", "sentinel");
  }

  @Test
  @Tag("full")
  void certifyWritesItsReport() throws Exception {
    String plain = url().replace(Ctl.PATIENT, ""); // the kit's times are made for the defaults
    Ended ended = runAt(plain, "certify", "--out", folder.toString(), "--name", "here", "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(new JsonObject(ended.out()).getBoolean("certified")).isTrue();
    assertThat(folder.resolve("here.json")).hasContent(ended.out());
    assertThat(folder.resolve("here.md")).content().contains("here");
    assertThat(Files.readString(folder.resolve("here.json"))).doesNotContain("s3cret");
  }

  @Test
  void certifySaysWhenNobodyIsThere() {
    assertThat(runAt("lock:redis://:s3cret-pw@127.0.0.1:1", "certify").code())
        .isEqualTo(ExitCodes.UNAVAILABLE);
  }
}
