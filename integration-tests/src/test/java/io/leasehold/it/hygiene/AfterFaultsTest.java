package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.it.Driver;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisErrorReply;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.hygiene.ServerState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that stay open and work have no more of anything after a fault than they had before. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class AfterFaultsTest {
  private static final int TIMES = 10;
  private static final Duration BOUND = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  void whatAFaultCostIsGivenBack(Driver driver) throws Exception {
    String name = driver.provider() + "-faults";
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server);
        SteadyJvm clients =
            SteadyJvm.start(name, driver.at(proxy.port(), quick(driver)), TIMES, pool(driver))) {
      for (Mishap mishap : Mishap.values()) { // each has code of its own, to be loaded once
        Measured.report(name, "meets " + mishap);
        suffer(clients, 1, () -> mishap.strike(server, proxy));
      }
      clients.tell("base");
      ServerState base = ServerState.of(server);
      for (Mishap mishap : Mishap.values()) {
        Measured.report(name, TIMES + " times " + mishap);
        suffer(clients, TIMES, () -> mishap.strike(server, proxy));
        clients.tell("check");
        assertThat(clients.leaks()).as("after " + mishap).isEmpty();
        awaitConnections(List.of(server), base.clients() + pool(driver));
        await().atMost(BOUND).until(() -> proxy.openConnections() <= base.clients() + pool(driver));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAFailoverCostIsGivenBack(Driver driver) throws Exception {
    int times = 5;
    String name = driver.provider() + "-failovers";
    try (RedisSentinels set = RedisSentinels.start();
        SteadyJvm clients =
            SteadyJvm.start(name, driver.url(set, quick(driver)), times, pool(driver))) {
      Fault failover =
          () -> {
            set.awaitInSync(BOUND); // or the sentinels find nobody who could take over
            RedisServer old = set.currentMaster();
            // On a busy machine sentinels begin a failover and give it up; then they are asked
            // again.
            await()
                .atMost(BOUND.multipliedBy(2))
                .ignoreExceptionsMatching(
                    e -> e instanceof IllegalStateException || e instanceof RedisErrorReply)
                .until(
                    () -> {
                      set.failover();
                      return set.awaitMasterOtherThan(old, Duration.ofSeconds(20)) != old;
                    });
            set.awaitReplica(old, BOUND);
          };
      suffer(clients, 2, failover);
      clients.tell("base");
      long base = connections(set.servers()) + connections(set.sentinels());
      suffer(clients, times, failover);
      clients.tell("check");
      assertThat(clients.leaks()).isEmpty();
      await()
          .atMost(BOUND)
          .until(
              () ->
                  connections(set.servers()) + connections(set.sentinels()) <= base + pool(driver));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatMovedSlotsCostIsGivenBack(Driver driver) throws Exception {
    int times = 20;
    String name = driver.provider() + "-moved-slots";
    try (RedisCluster cluster = RedisCluster.start();
        SteadyJvm clients =
            SteadyJvm.start(name, driver.url(cluster, quick(driver)), times, 3 * pool(driver))) {
      int slot = cluster.slotOf("hot");
      Fault move =
          () -> {
            RedisServer from = cluster.masterOf(slot);
            cluster.moveSlot(
                slot,
                cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow());
          };
      suffer(clients, 4, move);
      clients.tell("base");
      long base = connections(cluster.nodes());
      suffer(clients, times, move);
      clients.tell("check");
      assertThat(clients.leaks()).isEmpty();
      awaitConnections(cluster.nodes(), base + 3L * pool(driver));
    }
  }

  private interface Fault {
    void strike() throws Exception;
  }

  /** While the clients work, and get on with it after each time. */
  private static void suffer(SteadyJvm clients, int times, Fault fault) throws Exception {
    clients.tell("work");
    for (int i = 0; i < times; i++) {
      fault.strike();
      clients.tell("worked");
    }
    clients.tell("rest");
  }

  private static void awaitConnections(List<RedisServer> servers, long most) {
    await().atMost(BOUND).until(() -> connections(servers) <= most);
  }

  private static long connections(List<RedisServer> servers) {
    return servers.stream().mapToLong(ServerState::clients).sum();
  }

  private static String[] quick(Driver driver) {
    String pool = driver == Driver.JEDIS ? "&jedis.poolSize=3" : "";
    return new String[] {
      "commandTimeout=150ms", "connectTimeout=500ms", "connect=lazy", "guard=off" + pool
    };
  }

  /** Connections that a driver makes when it needs them: of two clients, beyond the first. */
  private static int pool(Driver driver) {
    return driver == Driver.JEDIS ? 4 : 0;
  }
}
