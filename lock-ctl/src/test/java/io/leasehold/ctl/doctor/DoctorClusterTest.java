package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ctl.Ctl;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster of three primaries with a replica each; each test spoils something. */
@Execution(ExecutionMode.SAME_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorClusterTest {
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.builder().nodes(node -> node.config("min-replicas-to-write 1")).start();
    // CLUSTER SLOTS lists a replica when the node has heard that it has data.
    await()
        .atMost(Ctl.PATIENCE)
        .until(() -> cluster.masters().stream().allMatch(DoctorClusterTest::listsTheReplicas));
  }

  private static boolean listsTheReplicas(RedisServer node) {
    String slots = String.valueOf(node.command("CLUSTER", "SLOTS"));
    return cluster.replicas().stream().allMatch(each -> slots.contains(", " + each.port() + ","));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String url() {
    return cluster.masters().stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "lock:jedis:redis-cluster://", Ctl.PATIENT));
  }

  @Test
  @Order(1)
  void aGoodClusterIsWellButNew() {
    Said said = Said.of(url());
    said.finds(Check.GUARD, Verdict.WARN, "the server is new").andNothingElse(Check.GUARD);
    assertThat(said.about(Check.VERSION)).as("all nodes").hasSize(6);
    assertThat(said.about(Check.GUARD)).as("all primaries").hasSize(3);
  }

  @Test
  @Order(2)
  @Tag("full") // it vouches for each of the slots
  void aGoodClusterThatIsVouchedForIsWell() throws Exception {
    Said.vouchFor(url());
    Said.of(url()).allIsWell();
  }

  @Test
  @Order(3)
  void onePrimaryThatWritesAloneIsFound() {
    RedisServer one = cluster.masters().get(1);
    one.command("CONFIG", "SET", "min-replicas-to-write", "0");
    Said said = Said.of(url());
    said.finds(Check.MIN_REPLICAS, Verdict.BAD, "LH-202");
    assertThat(said.about(Check.MIN_REPLICAS))
        .filteredOn(finding -> finding.verdict() != Verdict.OK)
        .hasSize(1);
    one.command("CONFIG", "SET", "min-replicas-to-write", "1");
  }

  @Test
  @Order(4)
  void aSlotThatNobodyServesIsBad() {
    cluster.nodes().forEach(node -> node.command("CLUSTER", "DELSLOTS", "0"));
    Said.of(url()).finds(Check.CLUSTER, Verdict.BAD, "16383 of 16384 slots");
  }
}
