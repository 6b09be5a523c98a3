package io.leasehold.it.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Encrypted connections: who is trusted, who is refused, and what is said then. */
@Tag("full")
@ParameterizedClass
@EnumSource(Driver.class)
class TlsTest {
  private static final String CA = "tlsCa=" + TestCertificates.get().ca();
  private static final String QUICK = "connectTimeout=1s";

  /** How far it got depends on the driver: a server that refuses a client just hangs up on it. */
  private static final String NO_ANSWER = "UNREACHABLE|CONNECTION_LOST|TIMEOUT";

  @Parameter Driver driver = Driver.LETTUCE;

  private static RedisServer server(ServerTls tls) {
    return RedisServer.builder().version(RedisVersion.V6_2).tls(tls).start();
  }

  private String rediss(int port, String... options) {
    return driver.url("rediss", "127.0.0.1:" + port, options);
  }

  @Test
  void aServerThatSpeaksTlsItself() throws Exception {
    try (RedisServer server = server(ServerTls.oneWay())) {
      use(rediss(server.port(), CA), "a", server);
    }
  }

  @Test
  void aServerBehindAProxyThatSpeaksTls() throws Exception {
    try (RedisServer server = RedisServer.builder().version(RedisVersion.V7_0).start();
        TlsProxy proxy = TlsProxy.to(server, ServerTls.oneWay())) {
      use(rediss(proxy.port(), CA), "a", server);
    }
  }

  @Test
  void aServerIsKnownByItsNameAsByItsAddress() throws Exception {
    try (RedisServer server = server(ServerTls.oneWay())) {
      use(driver.url("rediss", "localhost:" + server.port(), CA), "a", server);
    }
  }

  @Test
  void aLoginAndADatabaseGoWithIt() throws Exception {
    try (RedisServer server =
        RedisServer.builder()
            .version(RedisVersion.V6_2)
            .tls(ServerTls.oneWay())
            .user("app", "s3cr3t")
            .start()) {
      use(driver.url("rediss", "app:s3cr3t@127.0.0.1:" + server.port() + "/3", CA), "a", server, 3);
      refused(
          () -> Locks.open(driver.url("rediss", "app:wr0ng@127.0.0.1:" + server.port(), CA, QUICK)),
          "NOT_AUTHENTICATED");
    }
  }

  @Test
  void anAuthorityThatIsNotKnownIsRefused() {
    String another = "tlsCa=" + TestCertificates.get().client().certificate();
    try (RedisServer server = server(ServerTls.oneWay())) {
      refused(() -> Locks.open(rediss(server.port(), QUICK)), "UNREACHABLE");
      refused(() -> Locks.open(rediss(server.port(), QUICK, another)), "UNREACHABLE");
      refused(() -> Locks.open(rediss(server.port(), QUICK, "tlsVerify=chain")), "UNREACHABLE");
    }
  }

  @Test
  void aCertificateForAnotherHostIsRefusedUnlessTheUrlSaysOtherwise() throws Exception {
    try (RedisServer server = server(ServerTls.wrongHost())) {
      refused(() -> Locks.open(rediss(server.port(), QUICK, CA)), "UNREACHABLE");
      refused(
          () -> Locks.open(driver.url("rediss", "localhost:" + server.port(), QUICK, CA)),
          "UNREACHABLE");
      refused(() -> Locks.open(rediss(server.port(), QUICK, CA, "tlsVerify=full")), "UNREACHABLE");
      use(rediss(server.port(), CA, "tlsVerify=chain"), "a", server);
      use(rediss(server.port(), "tlsVerify=off"), "a", server);
    }
  }

  @Test
  void withoutVerificationAnyAuthorityWillDo() throws Exception {
    try (RedisServer server = server(ServerTls.oneWay())) {
      use(rediss(server.port(), "tlsVerify=off"), "a", server);
    }
  }

  @Test
  void aServerThatWantsToKnowItsClientsGetsTheirCertificate() throws Exception {
    TestCertificates.Identity client = TestCertificates.get().client();
    String certificate = "tlsCert=" + client.certificate();
    String key = "tlsKey=" + client.key();
    try (RedisServer server = server(ServerTls.mutual())) {
      use(rediss(server.port(), CA, certificate, key), "a", server);
      refused(() -> Locks.open(rediss(server.port(), QUICK, CA)), NO_ANSWER);
    }
  }

  @Test
  void aPlainUrlToAServerWithTlsFailsInTime() {
    try (RedisServer server = server(ServerTls.oneWay())) {
      refused(() -> Locks.open(driver.at(server.port(), QUICK)), NO_ANSWER);
    }
    try (RedisServer plain = RedisServer.start();
        TlsProxy proxy = TlsProxy.to(plain, ServerTls.oneWay())) {
      refused(() -> Locks.open(driver.at(proxy.port(), QUICK)), NO_ANSWER);
    }
  }

  @Test
  void anEncryptedUrlToAServerWithoutTlsFailsInTime() {
    try (RedisServer server = RedisServer.start()) {
      refused(() -> Locks.open(rediss(server.port(), QUICK, CA)), NO_ANSWER);
    }
    try (RedisServer server = RedisServer.builder().version(RedisVersion.V6_2).start()) {
      refused(() -> Locks.open(rediss(server.port(), QUICK, CA)), NO_ANSWER);
    }
  }

  @Test
  void aConnectionThatBreaksIsMadeAnewWithTls() throws Exception {
    try (RedisServer server = server(ServerTls.oneWay());
        LockClient client = Locks.open(rediss(server.port(), CA))) {
      client.lock("a").acquire(Handover.BOUND).close();
      server.restart(RedisServer.Data.KEPT);
      client.lock("a").acquire(Handover.BOUND).close();
    }
  }

  @Test
  @Tag("full")
  void sentinelsAndTheServersThatTheyName() throws Exception {
    try (RedisSentinels set =
        RedisSentinels.builder()
            .nodes(node -> node.version(RedisVersion.V6_2).tls(ServerTls.oneWay()))
            .start()) {
      String sentinels =
          set.sentinelAddresses().stream()
              .map(at -> at.getHostString() + ":" + at.getPort())
              .collect(Collectors.joining(","));
      String name = "masterName=" + set.masterName();
      String url = driver.url("rediss-sentinel", sentinels, name, CA, "guard=off");
      use(url, "a", set.currentMaster());
      refused(
          () -> Locks.open(driver.url("rediss-sentinel", sentinels, name, QUICK, "guard=off")),
          "UNREACHABLE");
      refused(
          () -> Locks.open(driver.url("redis-sentinel", sentinels, name, QUICK, "guard=off")),
          NO_ANSWER);
      try (LockClient client = Locks.open(url)) {
        client.lock("a").acquire(Handover.BOUND).close();
        RedisServer old = set.currentMaster();
        old.kill();
        set.awaitMasterOtherThan(old, Duration.ofSeconds(60));
        client.lock("a").acquire(Duration.ofSeconds(60)).close();
      }
    }
  }

  @Test
  @Tag("full")
  void everyNodeOfACluster() throws Exception {
    try (RedisCluster cluster =
        RedisCluster.builder()
            .replicasPerMaster(0)
            .nodes(node -> node.version(RedisVersion.V6_2).tls(ServerTls.oneWay()))
            .start()) {
      RedisServer first = cluster.nodes().get(0); // it tells where the others are
      String url = driver.url("rediss-cluster", "127.0.0.1:" + first.port(), CA, "guard=off");
      Set<RedisServer> met = new HashSet<>();
      for (int i = 0; met.size() < 3; i++) {
        if (met.add(cluster.masterOf("name-" + i))) {
          use(url, "name-" + i, cluster.masterOf("name-" + i));
        }
      }
      refused(
          () ->
              Locks.open(
                  driver.url("rediss-cluster", "127.0.0.1:" + first.port(), QUICK, "guard=off")),
          "UNREACHABLE");
    }
  }

  @Test
  void whatAnOptionCannotMeanIsNamed(@TempDir Path folder) throws IOException {
    TestCertificates.Identity client = TestCertificates.get().client();
    Path empty = Files.createFile(folder.resolve("empty.pem"));
    Path prose = Files.writeString(folder.resolve("prose.pem"), "not a certificate\n");
    Path missing = folder.resolve("missing.pem");
    String certificate = "tlsCert=" + client.certificate();
    String key = "tlsKey=" + client.key();
    for (Path bad : new Path[] {missing, empty, prose, folder, client.key()}) {
      misconfigured("tlsCa", "rediss", "tlsCa=" + bad);
      misconfigured("tlsCert", "rediss", "tlsCert=" + bad, key);
    }
    for (Path bad : new Path[] {missing, empty, prose, folder, client.certificate()}) {
      misconfigured("tlsKey", "rediss", certificate, "tlsKey=" + bad);
    }
    misconfigured("tlsCert", "rediss", certificate);
    misconfigured("tlsKey", "rediss", key);
    misconfigured("tlsVerify", "rediss", "tlsVerify=perhaps");
    misconfigured("tlsCa", "rediss", CA, "tlsVerify=off");
    for (String plain : new String[] {"redis", "redis-cluster"}) {
      misconfigured("tlsCa", plain, CA);
      misconfigured("tlsVerify", plain, "tlsVerify=off");
      misconfigured("tlsCert", plain, certificate, key);
    }
    misconfigured("tlsCa", "redis-sentinel", CA, "masterName=a");
  }

  @Test
  void aKeyThatIsNotTheCertificatesIsNamed() {
    TestCertificates certificates = TestCertificates.get();
    misconfigured(
        "tlsKey",
        "rediss",
        "tlsCert=" + certificates.client().certificate(),
        "tlsKey=" + certificates.server().key());
  }

  private static void use(String url, String name, RedisServer server) throws Exception {
    use(url, name, server, 0);
  }

  /** Commands and wake-ups come through. */
  private static void use(String url, String name, RedisServer server, int database)
      throws Exception {
    try (LockClient first = Locks.open(url);
        LockClient second = Locks.open(url)) {
      Handover.between(first, second, name, server, database);
    }
  }

  private static void refused(ThrowingCallable opening, String kinds) {
    long start = System.nanoTime();
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            LockUnavailableException.class,
            e -> {
              assertThat(e.answers())
                  .singleElement()
                  .satisfies(
                      answer -> {
                        assertThat(answer.kind()).isEqualTo(NodeAnswer.Kind.FAILED);
                        assertThat(answer.detail()).matches(kinds);
                      });
            });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
  }

  private void misconfigured(String option, String scheme, String... options) {
    // Nobody listens at port 1: it is found before anybody connects.
    assertThatThrownBy(() -> Locks.open(driver.url(scheme, "127.0.0.1:1", options)))
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> {
              assertThat(e.key()).isEqualTo(option);
              assertThat(e.getMessage()).contains("'" + option + "'");
            });
  }
}
