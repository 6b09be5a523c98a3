package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortCommandsContract;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The contract with a client that the application handed in, with Lettuce's default options: it
 * reconnects, keeps commands for later and speaks RESP3.
 */
class GivenClientTest extends PortCommandsContract {
  private static final RedisClient CLIENT = RedisClient.create();

  @AfterAll
  static void closeClient() {
    CLIENT.close();
  }

  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return LettucePorts.on(CLIENT, LettuceLockProvider.uris(servers, settings).get(0), context);
  }

  @Test
  void theConnectionsOfTheLocksAreClosedAndTheClientIsNot() {
    try (RedisServer server = RedisServer.start();
        RedisClient client = RedisClient.create()) {
      RedisURI uri = RedisURI.create("redis://127.0.0.1:" + server.port() + "?clientName=locks");
      DriverPort port = LettucePorts.on(client, uri, context());
      assertThat(works(port, "k")).isTrue();
      assertThat(connectionsNamed(server, "locks")).isEqualTo(1);
      port.close();
      await().until(() -> connectionsNamed(server, "locks") == 0);
      try (var connection = client.connect(uri)) {
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  void aClientOfAClusterFindsTheOwnersOfKeys() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        RedisClusterClient client =
            RedisClusterClient.create(
                RedisURI.create("redis://127.0.0.1:" + cluster.masters().get(0).port()))) {
      DriverPort port = LettucePorts.on(client, context());
      for (int i = 0; i < 20; i++) {
        assertThat(works(port, "k" + i)).isTrue();
        assertThat(cluster.masterOf("k" + i).command("EXISTS", "k" + i)).isEqualTo(1L);
      }
      port.close();
      try (var connection = client.connect()) {
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
    }
  }
}
