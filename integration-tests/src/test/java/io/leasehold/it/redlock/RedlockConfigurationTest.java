package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.it.Opened;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Findings;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.Vouched;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which servers can form a quorum, and what is said of those that cannot. */
@Execution(ExecutionMode.CONCURRENT)
class RedlockConfigurationTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource(Driver.class)
  void theSameServerUnderTwoNamesIsRefused(Driver driver) {
    try (QuorumServers servers = QuorumServers.start(2)) {
      int port = servers.server(0).port();
      String hosts = servers.address(0) + ",localhost:" + port + "," + servers.address(1);
      assertThatThrownBy(() -> Locks.open(QuorumServers.urlOf(driver, hosts)))
          .isInstanceOfSatisfying(
              LockConfigurationException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_QUORUM))
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("localhost:" + port);
    }
  }

  /** It looks like one that is down, which is fine; what counts is that it never votes twice. */
  @ParameterizedTest
  @EnumSource(Driver.class)
  void aSecondAddressOfAServerThatAnswersLateHasNoVoteAndIsTold(Driver driver)
      throws InterruptedException {
    try (QuorumServers servers = QuorumServers.start(2).vouched();
        FaultyProxy again = FaultyProxy.to(servers.server(0))) {
      again.blackHole();
      String hosts = String.join(",", servers.addresses()) + ",127.0.0.1:" + again.port();
      try (Opened opened = Opened.open(QuorumServers.urlOf(driver, hosts, "connectTimeout=10s"))) {
        LockClient client = opened.client();
        client.lock("a").acquire(Duration.ofSeconds(5)).close();
        again.heal();
        await("it is told")
            .atMost(BOUND)
            .untilAsserted(
                () ->
                    assertThat(opened.findings())
                        .extracting(Findings.Finding::id)
                        .contains("LH-207"));
        servers.server(1).kill();
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
            .as("one server is left, under two addresses")
            .isInstanceOf(LockUnavailableException.class);
      }
    }
  }

  /** As behind a load balancer; docs/guarantees.md says what is not noticed. */
  @ParameterizedTest
  @EachDriver
  void anAddressThatLeadsToAnotherMembersServerLaterLosesItsVote(Driver driver) {
    try (QuorumServers servers = QuorumServers.start(3).vouched();
        FaultyProxy balancer = FaultyProxy.to(servers.server(2))) {
      String hosts =
          servers.address(0) + "," + servers.address(1) + ",127.0.0.1:" + balancer.port();
      String url = QuorumServers.urlOf(driver, hosts, "connectTimeout=10s", "commandTimeout=1s");
      try (Opened opened = Opened.open(url)) {
        LockClient client = opened.client();
        balancer.blackHole();
        client.lock("a").tryAcquire().orElseThrow().close(); // a request to the third is under way
        balancer.leadTo(servers.server(0).host(), servers.server(0).port());
        balancer.cut(Cut.RST);
        balancer.heal();
        await("the third is identified again")
            .atMost(BOUND)
            .untilAsserted(
                () ->
                    assertThat(opened.findings())
                        .filteredOn(finding -> finding.id().equals("LH-207"))
                        .extracting(Findings.Finding::text)
                        .anySatisfy(told -> assertThat(told).contains("the same server as")));
        servers.server(1).kill();
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
            .as("one server is left, under two addresses")
            .isInstanceOf(LockUnavailableException.class);
        servers.server(1).restart(RedisServer.Data.KEPT); // close waits for what is to be released
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aReplicaIsRefused(Driver driver) {
    try (QuorumServers servers = QuorumServers.start(2);
        RedisServer replica =
            RedisServer.builder()
                .config("replicaof 127.0.0.1 " + servers.server(0).port())
                .start()) {
      String hosts = String.join(",", servers.addresses()) + ",127.0.0.1:" + replica.port();
      assertThatThrownBy(() -> Locks.open(QuorumServers.urlOf(driver, hosts)))
          .isInstanceOfAny(LockUnavailableException.class, LockConfigurationException.class)
          .hasMessageContaining("127.0.0.1:" + replica.port())
          .message()
          .containsAnyOf("replica", "READ_ONLY");
    }
  }

  @Test
  void fewerThanThreeAreRefusedWithoutAskingThem() {
    for (String hosts : new String[] {"127.0.0.1:1", "127.0.0.1:1,127.0.0.1:2"}) {
      expectBadQuorum(QuorumServers.urlOf(Driver.LETTUCE, hosts)).hasMessageContaining("three");
    }
  }

  @Test
  void theSameAddressTwiceIsRefusedWithoutAskingIt() {
    expectBadQuorum(QuorumServers.urlOf(Driver.LETTUCE, "127.0.0.1:1,127.0.0.1:2,127.0.0.1:1"))
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void sentinelsAndClustersAreNoNodes() {
    for (String scheme :
        new String[] {
          "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster",
        }) {
      String url = Driver.LETTUCE.url(scheme, "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
      expectBadQuorum(QuorumServers.redlock(url)).hasMessageContaining(scheme);
    }
  }

  private static AbstractThrowableAssert<?, ?> expectBadQuorum(String url) {
    return assertThatThrownBy(() -> Locks.open(url))
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.BAD_QUORUM))
        .hasMessageContaining("LH-110");
  }

  @Test
  void threeDriversOnTheClassPathAreTooManyForAUrlThatNamesNone() {
    assertThatThrownBy(() -> Locks.open("lock:redlock:redis://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"))
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SEVERAL_PROVIDERS))
        .hasMessageContainingAll("LH-106", "jedis", "lettuce", "vertx")
        .hasMessageContaining("lock:redlock:"); // the remedy is a URL that works
  }

  @Test
  void anEvenNumberWorksAndIsTold() throws InterruptedException {
    try (QuorumServers servers = QuorumServers.start(4).vouched();
        Opened opened = Opened.open(servers.url(Driver.LETTUCE))) {
      assertThat(opened.findings()).extracting(Findings.Finding::id).contains("LH-206");
      Lease lease = opened.client().lock("a").acquire(Duration.ofSeconds(5));
      assertThat(servers.holding("a")).hasSizeGreaterThanOrEqualTo(3);
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      servers.server(3).kill();
      assertThat(opened.client().lock("a").acquire(Duration.ofSeconds(5)).release())
          .as("three of four are a quorum")
          .isEqualTo(ReleaseResult.RELEASED);
      servers.server(2).kill();
      assertThatThrownBy(() -> opened.client().lock("a").tryAcquire())
          .as("two of four are none")
          .isInstanceOf(LockUnavailableException.class);
    }
  }

  @Test
  void anOddNumberIsNothingToTell() {
    try (QuorumServers servers = QuorumServers.start(3).vouched();
        Opened opened = Opened.open(servers.url(Driver.LETTUCE))) {
      assertThat(opened.findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aMinorityThatIsDownAtOpeningJoinsLaterByItself(Driver driver) throws InterruptedException {
    try (QuorumServers servers = QuorumServers.start(3).vouched()) {
      servers.server(1).kill();
      try (LockClient client = Locks.open(servers.url(driver))) {
        assertThat(client.lock("a").acquire(Duration.ofSeconds(5)).release())
            .isEqualTo(ReleaseResult.RELEASED);
        servers.server(1).restart(RedisServer.Data.KEPT);
        servers.vouch(1);
        await("the third holds a lock too")
            .atMost(BOUND)
            .until(
                () -> {
                  try (Lease lease = client.lock("a").acquire(Duration.ofSeconds(5))) {
                    return lease.isHeld() && servers.holding("a").contains(1);
                  }
                });
        servers.server(0).kill();
        assertThat(client.lock("b").acquire(Duration.ofSeconds(5)).release())
            .as("it is one of the two now")
            .isEqualTo(ReleaseResult.RELEASED);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aMajorityThatIsDownAtOpeningIsToldWithEachAnswer(Driver driver) {
    try (QuorumServers servers = QuorumServers.start(3)) {
      servers.server(0).kill();
      servers.server(1).kill();
      LockUnavailableException told =
          catchThrowableOfType(
              LockUnavailableException.class,
              () -> Locks.open(servers.url(driver, "connectTimeout=500ms")).close());
      assertThat(told).isNotNull();
      assertThat(told.answers())
          .extracting(NodeAnswer::node)
          .hasSize(3)
          .allSatisfy(node -> assertThat(node).containsAnyOf(all(servers)));
    }
  }

  private static String[] all(QuorumServers servers) {
    return servers.addresses().toArray(new String[0]);
  }

  @Test
  void newServersAreGuardedUntilSomebodyVouchesForTheQuorum() {
    try (QuorumServers servers = QuorumServers.start(3);
        Opened opened = Opened.open(servers.url(Driver.LETTUCE))) {
      LockUnavailableException told =
          catchThrowableOfType(
              LockUnavailableException.class, () -> opened.client().lock("a").tryAcquire());
      assertThat(told).isNotNull();
      assertThat(told.answers())
          .hasSize(3)
          .filteredOn(answer -> answer.kind() == NodeAnswer.Kind.GUARDED)
          .as("no two of three can vote")
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(opened.vouch()).isInstanceOf(Vouched.class);
      try (Lease lease = opened.client().lock("a").tryAcquire().orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  @Test
  void aNodeThatIsNotInTheUrlIsRefusedByName() {
    assertThatThrownBy(
            () ->
                Locks.builder()
                    .url(QuorumServers.urlOf(Driver.LETTUCE, "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"))
                    .nodeLogin("127.0.0.1:4", "somebody", "s3cret-four")
                    .open())
        .isInstanceOf(LockException.class)
        .hasMessageContaining("127.0.0.1:4")
        .satisfies(e -> assertThat(e).message().doesNotContain("s3cret"));
  }
}
