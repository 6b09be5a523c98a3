package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.it.Driver;
import io.leasehold.it.Opened;
import io.leasehold.it.redlock.QuorumServers;
import io.leasehold.spi.Vouched;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SilentServer;
import io.leasehold.testkit.hygiene.ServerState;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Servers for clients of one kind.
 *
 * @param url where clients find them
 * @param bad URLs on which no client can be opened: nobody listens, a wrong login, silence
 * @param servers that keep locks
 * @param sentinels that are asked for these
 * @param silence what some of the bad URLs lead to
 * @param ending ends the servers
 */
record Stage(
    String url,
    List<String> bad,
    List<RedisServer> servers,
    List<RedisServer> sentinels,
    SilentServer silence,
    Runnable ending)
    implements AutoCloseable {

  /** Where nobody listens. */
  private static final String NOBODY = "127.0.0.1:1";

  private static final String PATIENT = "connectTimeout=10s";
  private static final String IMPATIENT = "connectTimeout=60ms&commandTimeout=100ms";

  /** None at all: locks in memory. A URL for memory can only be wrong. */
  static Stage memory() {
    return new Stage(
        "lock:mem://hygiene",
        List.of("lock:mem://hygiene:1", "lock:mem://a,b", "lock:mem://hygiene?prefx=p"),
        List.of(),
        List.of(),
        SilentServer.start(),
        () -> {});
  }

  static Stage standalone(Driver driver) {
    RedisServer server = RedisServer.start();
    SilentServer silence = SilentServer.start();
    return new Stage(
        driver.url(server, PATIENT),
        List.of(
            driver.url("redis", NOBODY, IMPATIENT),
            driver.url("redis", ":wrong@127.0.0.1:" + server.port(), PATIENT),
            driver.at(silence.port(), IMPATIENT)),
        List.of(server),
        List.of(),
        silence,
        server::close);
  }

  static Stage redlock(Driver driver) {
    QuorumServers quorum = QuorumServers.start(3).vouched();
    SilentServer silence = SilentServer.start();
    String authority = String.join(",", quorum.addresses());
    return new Stage(
        quorum.url(driver),
        List.of(
            QuorumServers.urlOf(driver, NOBODY + ",127.0.0.1:2," + quorum.address(0), IMPATIENT),
            QuorumServers.urlOf(driver, ":wrong@" + authority, PATIENT),
            QuorumServers.urlOf(
                driver,
                "127.0.0.1:"
                    + silence.port()
                    + ",localhost:"
                    + silence.port()
                    + ","
                    + quorum.address(0),
                IMPATIENT)),
        IntStream.range(0, quorum.size()).mapToObj(quorum::server).toList(),
        List.of(),
        silence,
        quorum::close);
  }

  static Stage sentinel(Driver driver) {
    RedisSentinels set = RedisSentinels.start();
    SilentServer silence = SilentServer.start();
    String url = driver.url(set, PATIENT);
    return new Stage(
            url,
            List.of(
                driver.url("redis-sentinel", NOBODY, IMPATIENT, "masterName=" + set.masterName()),
                url.replace("masterName=" + set.masterName(), "masterName=nobody"),
                driver.url(
                    "redis-sentinel",
                    "127.0.0.1:" + silence.port(),
                    IMPATIENT,
                    "masterName=" + set.masterName())),
            set.servers(),
            set.sentinels(),
            silence,
            set::close)
        .vouched();
  }

  static Stage cluster(Driver driver) {
    RedisCluster cluster = RedisCluster.start();
    SilentServer silence = SilentServer.start();
    String url = driver.url(cluster, PATIENT);
    return new Stage(
            url,
            List.of(
                driver.url("redis-cluster", NOBODY, IMPATIENT),
                url.replace("redis-cluster://", "redis-cluster://:wrong@"),
                driver.url("redis-cluster", "127.0.0.1:" + silence.port(), IMPATIENT)),
            cluster.nodes(),
            List.of(),
            silence,
            cluster::close)
        .vouched();
  }

  private Stage vouched() {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              try (Opened opened = Opened.open(url)) {
                assertThat(opened.vouch()).isInstanceOf(Vouched.class);
              }
            });
    return this;
  }

  /** What the servers have now, those that clients ask for others included. */
  Connected connected() {
    return new Connected(
        servers.stream().map(ServerState::of).toList(),
        sentinels.stream().map(ServerState::clients).toList(),
        silence.openConnections());
  }

  /** What servers have. */
  record Connected(List<ServerState> servers, List<Long> ofSentinels, int unanswered) {
    long clients() {
      return servers.stream().mapToLong(ServerState::clients).sum()
          + ofSentinels.stream().mapToLong(Long::longValue).sum()
          + unanswered;
    }

    long channels() {
      return servers.stream().mapToLong(ServerState::channels).sum();
    }

    long keys() {
      return servers.stream().mapToLong(ServerState::keys).sum();
    }
  }

  @Override
  public void close() {
    silence.close();
    ending.run();
  }
}
