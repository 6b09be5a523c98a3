package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Several servers: whether they are a quorum, and independent of each other. */
@Execution(ExecutionMode.SAME_THREAD) // of its own tests: they start three servers each
class DoctorQuorumTest {
  private final List<RedisServer> servers = new ArrayList<>();

  private List<Integer> start(int number) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      servers.add(RedisServer.start());
      ports.add(servers.get(i).port());
    }
    return ports;
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  @Test
  void allIsWellOnThreeGoodServers() throws Exception {
    String url = Said.quorum(start(3));
    Said.vouchFor(url);
    Said.of(url).allIsWell();
  }

  @Test
  void anEvenNumberIsWorthAThought() throws Exception {
    String url = Said.quorum(start(4));
    Said.vouchFor(url);
    Said.of(url)
        .finds(Check.QUORUM, Verdict.WARN, "LH-206", "odd number")
        .andNothingElse(Check.QUORUM);
  }

  @Test
  void twoServersAreNoQuorum() {
    Said.of(Said.quorum(start(2))).finds(Check.QUORUM, Verdict.BAD, "three or five");
  }

  @Test
  void oneServerUnderTwoAddressesIsFound() {
    List<Integer> ports = start(2);
    try (FaultyProxy proxy = FaultyProxy.to(servers.get(0))) {
      Said.of(Said.quorum(List.of(ports.get(0), ports.get(1), proxy.port())))
          .finds(Check.SAME_SERVER, Verdict.BAD, ":" + ports.get(0), ":" + proxy.port())
          .finds(Check.INDEPENDENCE, Verdict.OK);
    }
  }

  @Test
  void aReplicaOfAnotherServerIsFound() {
    List<Integer> ports = start(1);
    try (RedisReplicas copies = RedisReplicas.start()) {
      int primary = copies.master().port();
      int replica = copies.replicas().get(0).port();
      Said.of(Said.quorum(List.of(ports.get(0), primary, replica)))
          .finds(Check.INDEPENDENCE, Verdict.BAD, ":" + primary, ":" + replica)
          .finds(Check.ROLE, Verdict.BAD, "a replica")
          .finds(Check.SAME_SERVER, Verdict.OK);
    }
  }

  @Test
  void aNodeOfAClusterIsFound() {
    List<Integer> ports = start(2);
    try (RedisServer node = RedisServer.builder().config("cluster-enabled yes").start()) {
      Said.of(Said.quorum(List.of(ports.get(0), ports.get(1), node.port())))
          .finds(Check.INDEPENDENCE, Verdict.BAD, ":" + node.port(), "redis-cluster://");
    }
  }

  @Test
  void severalServersOnOneMachineAreGoneTogether() {
    LockUrl url = LockUrl.parse("lock:redlock:redis://192.0.2.1:1,192.0.2.2:1,192.0.2.1:2");
    assertThat(TogetherChecks.sharedHost(new Terms(Terms.Topology.QUORUM, url)))
        .contains("192.0.2.1");
  }

  @Test
  void clocksMustAgreeOnAMajority() throws Exception {
    List<Integer> ports = start(3);
    Said.vouchFor(Said.quorum(ports));
    try (LyingProxy one = LyingProxy.ahead(servers.get(0), 60);
        LyingProxy two = LyingProxy.ahead(servers.get(1), -60)) {
      Said.of(Said.quorum(List.of(one.port(), ports.get(1), ports.get(2))))
          .finds(Check.CLOCK, Verdict.WARN, "NTP")
          .andNothingElse(Check.CLOCK);
      Said.of(Said.quorum(List.of(one.port(), two.port(), ports.get(2))))
          .finds(Check.CLOCK, Verdict.BAD, "no majority lies within 5 s");
    }
  }

  @Test
  void aServerThatIsGoneIsToldAndTheOthersAreAsked() {
    List<Integer> ports = start(3);
    servers.get(1).kill();
    Said said = Said.of(Said.quorum(ports));
    said.finds(Check.REACH, Verdict.BAD, "Connection refused").finds(Check.VERSION, Verdict.OK);
    assertThat(said.about(Check.VERSION)).hasSize(2);
    assertThat(said.report().exitCode(false)).isEqualTo(2);
  }

  @Test
  void noGuardOnAQuorumIsBad() {
    Said.of(Said.quorum(start(3), "guard=off")).finds(Check.GUARD, Verdict.BAD, "guard=off");
  }
}
