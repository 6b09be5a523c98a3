package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisProbeTest {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.builder().password("s3cret").start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RedisProbe probe(String url) {
    return new RedisLockProvider("wire") {
      @Override
      protected DriverPort open(
          LockUrl given, RedisServers servers, ConnectionSettings settings, PortContext context) {
        return new WirePort(servers);
      }
    }.probe(LockUrl.parse(url));
  }

  @Test
  void repliesComeInTheOrderOfTheCommandsAndErrorsInTheirPlace() {
    try (RedisProbe probe = probe("lock:redis://127.0.0.1:" + server.port())) {
      Endpoint endpoint = probe.servers().endpoints().get(0);
      List<Object> replies =
          probe.ask(
              endpoint,
              List.of(
                  RedisCommand.of("GET", "a"),
                  RedisCommand.of("AUTH", "s3cret"),
                  RedisCommand.of("PING")));
      assertThat(replies.get(0)).isInstanceOf(RedisErrorReply.class);
      assertThat((byte[]) replies.get(2)).asString(StandardCharsets.UTF_8).isEqualTo("PONG");
    }
  }

  @Test
  void aServerThatIsNotThereIsAFailure() {
    try (RedisProbe probe = probe("lock:redis://127.0.0.1:1")) {
      Endpoint nobody = probe.servers().endpoints().get(0);
      assertThatThrownBy(() -> probe.ask(nobody, "PING"))
          .isInstanceOf(RedisConnectionFailure.class);
      assertThatThrownBy(() -> probe.listen(nobody)).isInstanceOf(RedisConnectionFailure.class);
    }
  }

  @Test
  void theQuarantineIsThatOfClients() {
    String sentinels = "lock:redis-sentinel://s1?masterName=m";
    assertThat(quarantine("lock:redis://a", -1, -1)).isZero();
    assertThat(quarantine("lock:redis://a?guard=on", -1, -1)).isEqualTo(Duration.ofSeconds(61));
    assertThat(quarantine(sentinels, 2, 10)).isEqualTo(Duration.ofSeconds(60 + 1 + 2 + 10 + 1));
    assertThat(quarantine(sentinels, 2, 5)).isEqualTo(Duration.ofSeconds(60 + 1 + 2 + 5 + 1));
    assertThat(quarantine(sentinels, -1, -1)).isEqualTo(Duration.ofSeconds(60 + 1 + 2 + 10 + 1));
    assertThat(quarantine(sentinels, 0, 10)).isEqualTo(Duration.ofSeconds(60 + 1 + 2));
    assertThat(quarantine(sentinels + "&guard=off", 2, 10)).isZero();
  }

  private static Duration quarantine(String url, long toWrite, long maxLag) {
    try (RedisProbe probe = probe(url)) {
      assertThat(probe.guarded()).isEqualTo(!probe.quarantine(toWrite, maxLag).isZero());
      return probe.quarantine(toWrite, maxLag);
    }
  }
}
