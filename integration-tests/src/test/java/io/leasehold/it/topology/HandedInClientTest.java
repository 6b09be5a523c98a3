package io.leasehold.it.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks on a client that the application has already; it stays the application's. */
class HandedInClientTest {
  private static final Duration FAILED_OVER = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  void aClientOfOneServer(HandedClient.ToOneServer way) throws Exception {
    try (RedisServer server = RedisServer.start();
        HandedClient handed = way.open(server)) {
      try (LockClient client = handed.locks().open();
          LockClient stranger = Locks.open(Driver.LETTUCE.url(server))) {
        Handover.between(client, stranger, "a", server);
        Handover.between(stranger, client, "b", server);
        staysHeld(handed, stranger, "c");
        assertThat(handed.use()).isIn("PONG", "OK");
      }
      assertThat(handed.use()).isIn("PONG", "OK");
      usedAgain(handed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatComesBack(HandedClient.ToOneServer way) throws Exception {
    try (RedisServer server = RedisServer.start();
        HandedClient handed = way.open(server);
        LockClient client = handed.locks().open()) {
      client.lock("a").acquire(Handover.BOUND).close();
      server.restart(RedisServer.Data.KEPT);
      client.lock("a").acquire(Handover.BOUND).close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full")
  void aClientThatAsksSentinels(HandedClient.ToSentinels way) throws Exception {
    try (RedisSentinels set = RedisSentinels.start();
        HandedClient handed = way.open(set)) {
      try (LockClient client = handed.locks().option("guard", "off").open();
          LockClient stranger = Locks.open(Driver.LETTUCE.url(set, "guard=off"))) {
        RedisServer first = set.currentMaster();
        Handover.between(client, stranger, "a", first);
        Handover.between(stranger, client, "b", first);
        staysHeld(handed, stranger, "c");
        set.failover(); // in peace: nobody dies, and the old primary goes on as a replica
        RedisServer second = set.awaitMasterOtherThan(first, FAILED_OVER);
        set.awaitReplica(first, FAILED_OVER); // until then both grant: the guard is off
        client.lock("d").acquire(FAILED_OVER).close();
        stranger.lock("d").acquire(FAILED_OVER).close();
        Handover.between(client, stranger, "d", second);
        Handover.between(stranger, client, "e", second);
        second.kill();
        RedisServer third = set.awaitMasterOtherThan(second, FAILED_OVER);
        client.lock("f").acquire(FAILED_OVER).close();
        stranger.lock("f").acquire(FAILED_OVER).close();
        Handover.between(stranger, client, "f", third);
      }
      assertThat(handed.use()).isIn("PONG", "OK");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full")
  void aClientOfACluster(HandedClient.ToCluster way) throws Exception {
    try (RedisCluster cluster = RedisCluster.builder().replicasPerMaster(0).start();
        HandedClient handed = way.open(cluster)) {
      try (LockClient client = handed.locks().option("guard", "off").open();
          LockClient stranger = Locks.open(Driver.LETTUCE.url(cluster, "guard=off"))) {
        Set<RedisServer> met = new HashSet<>();
        for (int i = 0; met.size() < 3; i++) {
          String name = "name-" + i;
          RedisServer master = cluster.masterOf(name);
          if (met.add(master)) {
            Handover.between(client, stranger, name, master);
            Handover.between(stranger, client, name, master);
            staysHeld(handed, stranger, name);
          }
        }
      }
      assertThat(handed.use()).isIn("PONG", "OK");
      usedAgain(handed);
    }
  }

  /** Held for longer than a lease lasts: it is renewed. */
  private static void staysHeld(HandedClient handed, LockClient stranger, String name)
      throws Exception {
    try (LockClient client =
            handed.locks().option("guard", "off").option("leaseTime", "600ms").open();
        Lease held = client.lock(name).acquire(Handover.BOUND)) {
      TimeUnit.MILLISECONDS.sleep(1_500);
      assertThat(held.isHeld()).isTrue();
      assertThat(stranger.lock(name).tryAcquire()).isEmpty();
    }
    stranger.lock(name).acquire(Handover.BOUND).close();
  }

  private static void usedAgain(HandedClient handed) throws Exception {
    try (LockClient client = handed.locks().option("guard", "off").open()) {
      client.lock("again").acquire(Handover.BOUND).close();
    }
  }
}
