package io.leasehold.ctl.doctor;

import static io.leasehold.ctl.doctor.Said.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.Ctl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One server: what is wrong with it, and what the doctor says. */
class DoctorStandaloneTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private static RedisServer good() {
    return RedisServer.builder().config("appendfsync always").start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jedis", "lettuce", "vertx"})
  void allIsWellOnAGoodServerWithEachDriver(String driver) {
    try (RedisServer server = good()) {
      Said.of(url(server).replace("jedis", driver)).allIsWell();
    }
  }

  @Test
  void allIsWellWithTheGuardAndNoPersistence() throws Exception {
    try (RedisServer server = RedisServer.builder().config("appendonly no").start()) {
      Said.vouchFor(url(server, "guard=on"));
      Said.of(url(server, "guard=on")).allIsWell();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"guard=off", "guard=on"})
  void aServerThatEvictsIsBad(String guard) {
    try (RedisServer server =
        RedisServer.builder().config("maxmemory 100mb", "maxmemory-policy allkeys-lru").start()) {
      Said.of(url(server, guard))
          .finds(Check.EVICTION, Verdict.BAD, "allkeys-lru", "maxmemory-policy noeviction");
      server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      Said.of(url(server, guard)).finds(Check.EVICTION, Verdict.OK);
    }
  }

  @Test
  void aServerThatForgetsIsBadWithoutTheGuard() {
    try (RedisServer server = RedisServer.builder().config("appendonly no").start()) {
      Said.of(url(server)).finds(Check.PERSISTENCE, Verdict.BAD, "appendonly no", "guard=on");
      server.command("CONFIG", "SET", "save", "3600 1");
      Said.of(url(server)).finds(Check.PERSISTENCE, Verdict.BAD, "snapshots only");
      Said.of(url(server, "guard=on")).finds(Check.PERSISTENCE, Verdict.OK);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"everysec", "no"})
  void aServerThatWritesLaterForgetsTheLast(String when) {
    try (RedisServer server = RedisServer.builder().config("appendfsync " + when).start()) {
      Said.of(url(server))
          .finds(Check.PERSISTENCE, Verdict.WARN, when, "appendfsync always")
          .andNothingElse(Check.PERSISTENCE);
      Said.of(url(server, "guard=on")).finds(Check.PERSISTENCE, Verdict.OK);
    }
  }

  @Test
  void anOldServerIsBad() {
    try (RedisServer server = good();
        LyingProxy old = LyingProxy.ofVersion(server, "6.0.16")) {
      String url = "lock:jedis:redis://127.0.0.1:" + old.port() + Ctl.PATIENT;
      Said.of(url).finds(Check.VERSION, Verdict.BAD, "6.0.16").andNothingElse(Check.VERSION);
    }
  }

  @Test
  void aClockThatIsFarOffIsWorthAThought() {
    try (RedisServer server = good();
        LyingProxy fast = LyingProxy.ahead(server, 3600)) {
      String url = "lock:jedis:redis://127.0.0.1:" + fast.port() + Ctl.PATIENT;
      Said.of(url).finds(Check.CLOCK, Verdict.WARN, "3600", "NTP").andNothingElse(Check.CLOCK);
    }
  }

  @Test
  void aReplicaTakesNoLocks() {
    try (RedisReplicas servers =
        RedisReplicas.builder().nodes(node -> node.config("appendfsync always")).start()) {
      int primary = servers.master().port();
      Said.of(url(servers.replicas().get(0)))
          .finds(Check.ROLE, Verdict.BAD, "127.0.0.1:" + primary)
          .andNothingElse(Check.ROLE);
    }
  }

  @Test
  void replicasThatLagBehindAreTold() {
    try (RedisReplicas servers =
        RedisReplicas.builder().nodes(node -> node.config("appendfsync always")).start()) {
      servers.awaitInSync(BOUND);
      String url = url(servers.master());
      Said.of(url).finds(Check.REPLICAS, Verdict.OK);
      Said.of(url + "&minReplicas=2").finds(Check.REPLICAS, Verdict.BAD, "minReplicas=2");
      servers.replicas().get(0).pause();
      await()
          .atMost(BOUND)
          .untilAsserted(() -> Said.of(url).finds(Check.REPLICAS, Verdict.WARN, "s old"));
      servers.replicas().get(0).resume();
    }
  }

  @Test
  void aNetworkSlowerThanTheTimeoutIsBad() {
    try (RedisServer server = good();
        FaultyProxy slow = FaultyProxy.to(server)) {
      slow.delay(Duration.ofMillis(30));
      String url = "lock:jedis:redis://127.0.0.1:" + slow.port() + "?connectTimeout=60s";
      Said.of(url + "&commandTimeout=50ms")
          .finds(Check.LATENCY, Verdict.BAD, "commandTimeout 50ms", "a larger commandTimeout");
      Said.of(url + "&commandTimeout=30s&leaseTime=150ms")
          .finds(Check.LATENCY, Verdict.BAD, "leaseTime 150ms", "a larger leaseTime");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-pexpire, BAD, +pexpire", "-evalsha, BAD, +evalsha", "-script, BAD, +script|load",
    "-hset, BAD, +hset", "-hget, WARN, +hget", "-publish, WARN, +publish",
    "-subscribe, WARN, +subscribe", "-zscore, WARN, +zscore", "-scan, WARN, +scan",
    "resetkeys, BAD, ~leasehold:*", "resetchannels, WARN, &leasehold:wake:*"
  })
  void whatALoginLacksIsNamed(String without, Verdict verdict, String grant) {
    try (RedisServer server = good()) {
      login(server, without);
      Said.of(withLogin(server) + "&guard=on").finds(Check.PERMISSIONS, verdict, grant);
    }
  }

  @Test
  void theDocumentedLoginLacksNothing() throws Exception {
    try (RedisServer server = good()) {
      login(server);
      Said.vouchFor(withLogin(server) + "&guard=on");
      Said.of(withLogin(server) + "&guard=on").allIsWell();
    }
  }

  @Test
  void theSameIsSaidOfTheOldestServerThatIsSupported() throws Exception {
    try (RedisServer server =
        RedisServer.builder().version(RedisVersion.V6_2).config("appendfsync always").start()) {
      login(server);
      Said.of(withLogin(server)).allIsWell();
      Said.vouchFor(withLogin(server) + "&guard=on");
      Said said = Said.of(withLogin(server) + "&guard=on");
      said.allIsWell();
      said.finds(Check.VERSION, Verdict.OK, "6.2.");
      login(server, "-hset", "-config");
      Said.of(withLogin(server) + "&guard=on")
          .finds(Check.PERMISSIONS, Verdict.BAD, "+hset")
          .andNothingElse(Check.PERMISSIONS);
      Said.of(withLogin(server)).finds(Check.PERSISTENCE, Verdict.UNKNOWN, "+config|get");
    }
  }

  @Test
  void whatMayNotBeAskedIsUnknown() {
    try (RedisServer server = good()) {
      login(server, "-config");
      Said said = Said.of(withLogin(server));
      said.finds(Check.PERSISTENCE, Verdict.UNKNOWN, "+config|get")
          .andNothingElse(Check.PERSISTENCE);
      assertThat(said.report().exitCode(false)).isEqualTo(1);
      assertThat(said.report().exitCode(true)).isEqualTo(2);
    }
  }

  /** As docs/redis.md has it. */
  private static void login(RedisServer server, String... without) {
    String all =
        "ACL SETUSER app on >s3cret-pw resetkeys ~* resetchannels &leasehold:wake:* -@all +evalsha"
            + " +script|load +info +time +get +set +del +pttl +pexpire +exists +zadd +zrem +zrange"
            + " +zcard +publish +subscribe +zscore +zremrangebyscore +scan +hmget +hset +hget"
            + " +config|get +wait +select +cluster|slots +asking";
    server.command(all.split(" "));
    for (String rule : without) {
      server.command("ACL", "SETUSER", "app", rule);
    }
  }

  private static String withLogin(RedisServer server) {
    return url(server).replace("127.0.0.1", "app:s3cret-pw@127.0.0.1");
  }

  @Test
  void aServerInQuarantineSaysForHowLong() throws Exception {
    try (RedisServer server = good()) {
      String url = url(server, "guard=on");
      Said.of(url)
          .finds(Check.GUARD, Verdict.WARN, "the server is new", "lockctl vouch")
          .andNothingElse(Check.GUARD);
      Said.vouchFor(url);
      grant(url);
      Said.of(url).finds(Check.GUARD, Verdict.OK, "this server granted last");

      server.restart(RedisServer.Data.KEPT);
      Said.of(url).finds(Check.GUARD, Verdict.WARN, "the next request begins a quarantine");
      try (LockClient client = Locks.open(url)) {
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).hasMessageContaining("GUARDED");
      }
      Said.of(url).finds(Check.GUARD, Verdict.WARN, "quarantine: nothing is granted for another");
      Said.of(url(server))
          .finds(Check.GUARD, Verdict.WARN, "off for this URL", "guard=on in the URL of all");
    }
  }

  private static void grant(String url) {
    try (LockClient client = Locks.open(url);
        Lease lease = client.lock("granted").tryAcquire().orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void clientsWithAnotherMaxLeaseAreNoticed() throws Exception {
    try (RedisServer server = good()) {
      String theirs = url(server, "guard=on", "maxLease=5m");
      Said.vouchFor(theirs);
      grant(theirs);
      Said.of(theirs).allIsWell();
      Said.of(url(server, "guard=on"))
          .finds(Check.MAX_LEASE, Verdict.WARN, "LH-204", "the same maxLease")
          .andNothingElse(Check.MAX_LEASE);
    }
  }

  @Test
  void aPasswordInTheClearIsTold() {
    try (RedisServer server =
        RedisServer.builder().password("s3cret-pw").config("appendfsync always").start()) {
      String here = url(server).replace("127.0.0.1", ":s3cret-pw@127.0.0.1");
      Said.of(here).allIsWell();
      // Linux takes it for this machine, and it is not the loopback address.
      Said.of(here.replace("127.0.0.1", "0.0.0.0"))
          .finds(Check.TLS, Verdict.WARN, "in the clear", "rediss://")
          .andNothingElse(Check.TLS);
    }
  }

  @Test
  void aServerThatRefusesOrIsNotThereIsNotReached() {
    try (RedisServer server = RedisServer.builder().password("s3cret-pw").start()) {
      Said said = Said.of(url(server));
      said.finds(Check.REACH, Verdict.BAD, "NOAUTH", "user and password");
      assertThat(said.report().exitCode(false)).isEqualTo(69);
      Said.of(url(server).replace("127.0.0.1", ":wrong@127.0.0.1"))
          .finds(Check.REACH, Verdict.BAD, "WRONGPASS");
      server.kill();
      Said.of(url(server)).finds(Check.REACH, Verdict.BAD, "Connection refused");
    }
  }
}
