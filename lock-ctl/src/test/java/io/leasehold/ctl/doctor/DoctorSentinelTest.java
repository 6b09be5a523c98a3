package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.Ctl;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A primary with three replicas behind three sentinels; each test spoils something. */
@Execution(ExecutionMode.SAME_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorSentinelTest {
  private static final Duration BOUND = Duration.ofSeconds(90);

  private static RedisSentinels all;

  @BeforeAll
  static void start() throws Exception {
    all = RedisSentinels.builder().replicas(3).start();
    mend();
    Said.vouchFor(url());
  }

  @AfterAll
  static void stop() {
    all.close();
  }

  @AfterEach
  void mendAgain() {
    mend();
  }

  private static void mend() {
    configure("min-replicas-to-write", "2");
    configure("min-replicas-max-lag", "10");
    configure("repl-backlog-ttl", "3600");
  }

  private static void configure(String name, String value) {
    all.servers().forEach(server -> server.command("CONFIG", "SET", name, value));
  }

  private static String url() {
    return all.sentinelAddresses().stream()
        .map(address -> "127.0.0.1:" + address.getPort())
        .collect(
            Collectors.joining(
                ",",
                "lock:jedis:redis-sentinel://",
                Ctl.PATIENT + "&masterName=" + all.masterName()));
  }

  @Test
  @Order(1)
  void allIsWell() {
    Said said = Said.of(url());
    said.allIsWell();
    assertThat(said.about(Check.VERSION)).as("the primary and three replicas").hasSize(4);
  }

  @Test
  @Order(2)
  void writesThatNoReplicaHasAreBad() {
    configure("min-replicas-to-write", "0");
    Said.of(url()).finds(Check.MIN_REPLICAS, Verdict.BAD, "LH-202", "min-replicas-to-write 2");
  }

  @Test
  @Order(2)
  void writesThatAllReplicasMustHaveAreWell() {
    configure("min-replicas-to-write", "3");
    Said.of(url())
        .finds(Check.MIN_REPLICAS, Verdict.OK, "after the loss of one server nothing is granted")
        .andNothingElse(Check.MIN_REPLICAS);
  }

  @Test
  @Order(2)
  void writesThatTooFewReplicasHaveAreWorthAThought() {
    configure("min-replicas-to-write", "1");
    Said.of(url())
        .finds(Check.MIN_REPLICAS, Verdict.WARN, "LH-205", "min-replicas-to-write 2")
        .andNothingElse(Check.MIN_REPLICAS);
  }

  @Test
  @Order(2)
  void moreReplicasThanThereAreAreBad() {
    configure("min-replicas-to-write", "4");
    Said.of(url()).finds(Check.MIN_REPLICAS, Verdict.BAD, "NOREPLICAS");
  }

  @Test
  @Order(2)
  void oneServerThatIsSetUpOtherwiseIsFound() {
    all.replicas().get(0).command("CONFIG", "SET", "min-replicas-to-write", "0");
    Said said = Said.of(url());
    said.finds(Check.MIN_REPLICAS, Verdict.BAD, "LH-202");
    assertThat(said.about(Check.MIN_REPLICAS))
        .filteredOn(finding -> finding.verdict() != Verdict.OK)
        .hasSize(1);
  }

  @Test
  @Order(2)
  void aPromotionThatIsForgottenTooSoonIsBad() {
    configure("repl-backlog-ttl", "5");
    Said.of(url()).finds(Check.BACKLOG, Verdict.BAD, "repl-backlog-ttl 3600");
  }

  @Test
  @Order(2)
  void noGuardIsBad() {
    Said.of(url() + "&guard=off").finds(Check.GUARD, Verdict.BAD, "guard=off");
    Said.of(url() + "&layout=redisson").finds(Check.GUARD, Verdict.BAD, "LH-208");
  }

  @Test
  @Order(3)
  void aQuorumOfOneSentinelIsWorthAThoughtAndOneThatCannotBeIsBad() {
    setQuorum("1");
    Said.of(url())
        .finds(Check.SENTINELS, Verdict.WARN, "set the quorum to 2")
        .andNothingElse(Check.SENTINELS);
    setQuorum("4");
    Said.of(url()).finds(Check.SENTINELS, Verdict.BAD, "NOQUORUM");
    setQuorum("2");
    Said.of(url()).finds(Check.SENTINELS, Verdict.OK);
  }

  private static void setQuorum(String quorum) {
    for (RedisServer sentinel : all.sentinels()) {
      sentinel.command("SENTINEL", "SET", all.masterName(), "quorum", quorum);
    }
  }

  @Test
  @Order(4)
  @Tag("full") // a failover takes its time
  void afterAFailoverItIsToldWhoGrantedLast() {
    try (LockClient client = Locks.open(url());
        Lease lease = client.lock("before").tryAcquire().orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
    }
    RedisServer old = all.currentMaster();
    all.awaitInSync(BOUND);
    all.failover();
    all.awaitMasterOtherThan(old, BOUND);
    all.awaitReplica(old, BOUND);
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                Said.of(url())
                    .finds(
                        Check.GUARD,
                        Verdict.WARN,
                        "the last grant was given by 127.0.0.1:" + old.port()));
  }

  @Test
  @Order(5)
  void sentinelsThatNameDifferentPrimariesAreBad() {
    RedisServer sentinel = all.sentinels().get(0);
    sentinel.command("SENTINEL", "REMOVE", all.masterName());
    Said.of(url()).finds(Check.SENTINELS, Verdict.BAD, "does not know '" + all.masterName());
    try (RedisServer other = RedisServer.start()) {
      String port = Integer.toString(other.port());
      sentinel.command("SENTINEL", "MONITOR", all.masterName(), "127.0.0.1", port, "1");
      Said said = Said.of(url());
      said.finds(Check.SENTINELS, Verdict.BAD);
      assertThat(said.about(Check.SENTINELS).toString()).contains("name different primaries");
    }
  }

  @Test
  @Order(6)
  void sentinelsThatAreGoneAreTold() {
    all.sentinels().get(0).kill();
    all.sentinels().get(1).kill();
    await()
        .atMost(BOUND)
        .untilAsserted(() -> Said.of(url()).finds(Check.SENTINELS, Verdict.BAD, "NOQUORUM"));
    Said.of(url()).finds(Check.REACH, Verdict.BAD, "the sentinel");
    all.sentinels().get(2).kill();
    assertThat(Said.of(url()).report().exitCode(false)).isEqualTo(69);
  }
}
