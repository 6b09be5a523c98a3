package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisServer.Data;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that speak TLS by themselves, and one that does through a proxy. */
class TlsTest {

  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration BOUND = Duration.ofSeconds(90);

  private final TestCertificates certificates = TestCertificates.get();

  @Test
  void a_server_with_tls_speaks_nothing_else() {
    try (RedisServer server =
        RedisServer.builder().tls(ServerTls.oneWay()).password("secret").start()) {
      assertThat(server.info("server").get("redis_version")).startsWith("6.2.");
      assertThat(server.uri()).hasToString("rediss://:secret@127.0.0.1:" + server.port());
      assertThat(greet(server.port(), trustingOnly())).isEqualTo("NOAUTH");
      try (RespConnection plain = RespConnection.open(server.host(), server.port(), SOON)) {
        assertThatThrownBy(() -> plain.call("PING")).isInstanceOf(UncheckedIOException.class);
      }
      server.restart(Data.KEPT);
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void a_server_with_mutual_tls_wants_a_certificate() {
    try (RedisServer server = RedisServer.builder().tls(ServerTls.mutual()).start()) {
      assertThat(greet(server.port(), certificates.context(certificates.client())))
          .isEqualTo("PONG");
      SSLContext unnamed = trustingOnly();
      assertThatThrownBy(() -> greet(server.port(), unnamed))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void a_client_can_tell_a_wrong_host_from_the_right_one() throws Exception {
    try (RedisServer right = RedisServer.builder().tls(ServerTls.oneWay()).start();
        RedisServer wrong = RedisServer.builder().tls(ServerTls.wrongHost()).start()) {
      for (String host : List.of("localhost", "127.0.0.1")) {
        handshakeWithNameCheck(host, right.port());
        assertThatThrownBy(() -> handshakeWithNameCheck(host, wrong.port()))
            .isInstanceOf(SSLException.class);
      }
    }
  }

  @Test
  void a_version_without_tls_says_so() {
    RedisServerBuilder impossible =
        RedisServer.builder().version(RedisVersion.V7_0).tls(ServerTls.oneWay());
    assertThatThrownBy(impossible::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot do TLS")
        .hasMessageContaining("TlsProxy");
  }

  @Test
  void a_proxy_gives_tls_to_a_server_that_has_none_and_ends_with_all_it_had() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy faulty = FaultyProxy.to(server)) {
      TlsProxy oneWay = TlsProxy.to(faulty.host(), faulty.port(), ServerTls.oneWay());
      TlsProxy mutual = TlsProxy.to(server, ServerTls.mutual());
      TlsProxy wrong = TlsProxy.to(server, ServerTls.wrongHost());
      SSLContext unnamed = trustingOnly();
      try {
        handshakeWithNameCheck("localhost", oneWay.port());
        assertThat(greet(mutual.port(), certificates.context(certificates.client())))
            .isEqualTo("PONG");
        assertThatThrownBy(() -> greet(mutual.port(), unnamed))
            .isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> handshakeWithNameCheck("localhost", wrong.port()))
            .isInstanceOf(SSLException.class);
        try (RespConnection connection =
            RespConnection.open(oneWay.host(), oneWay.port(), SOON, unnamed)) {
          String large = "x".repeat(1 << 20);
          assertThat(connection.call("ECHO", large)).isEqualTo(large);
          // What happens behind the proxy is seen before it.
          faulty.cut(Cut.RST);
          assertThatThrownBy(() -> connection.call("PING"))
              .isInstanceOf(UncheckedIOException.class);
        }
        try (RespConnection idle =
                RespConnection.open(oneWay.host(), oneWay.port(), SOON, unnamed);
            RespConnection mute = RespConnection.open(oneWay.host(), oneWay.port(), SOON)) {
          assertThat(idle.call("PING")).isEqualTo("PONG");
          oneWay.close();
          assertThatThrownBy(() -> idle.call("PING")).isInstanceOf(UncheckedIOException.class);
          assertThatThrownBy(mute::receive).isInstanceOf(UncheckedIOException.class);
        }
      } finally {
        List.of(oneWay, mutual, wrong).forEach(TlsProxy::close);
      }
      for (TlsProxy proxy : List.of(oneWay, mutual, wrong)) {
        try (ServerSocket socket = FreePorts.listen(proxy.port())) {
          assertThat(socket.isBound()).isTrue();
        }
      }
    }
  }

  @Tag("full")
  @Test
  void replicas_and_sentinels_speak_tls_with_each_other() {
    try (RedisSentinels sentinels = sentinels(ServerTls.oneWay())) {
      RedisServer sentinel = sentinels.sentinels().get(0);
      assertThat(sentinel.uri()).hasScheme("rediss");
      assertThat(greet(sentinel.port(), trustingOnly())).isEqualTo("PONG");
      RedisServer master = sentinels.currentMaster();
      master.command("SET", "key", "value");
      sentinels.awaitInSync(BOUND);
      assertThat(sentinels.replicas().get(0).command("GET", "key")).isEqualTo("value");
    }
  }

  @Tag("full")
  @Test
  void sentinels_that_speak_mutual_tls_replace_a_master() {
    try (RedisSentinels sentinels = sentinels(ServerTls.mutual())) {
      RedisServer first = sentinels.currentMaster();
      first.command("SET", "key", "value");
      sentinels.awaitInSync(BOUND);
      first.kill();
      RedisServer second = sentinels.awaitMasterOtherThan(first, BOUND);
      assertThat(second.command("GET", "key")).isEqualTo("value");
    }
  }

  @Tag("full")
  @Test
  void the_nodes_of_a_cluster_speak_tls_with_each_other() {
    List<RedisServer> all = new ArrayList<>();
    try (RedisCluster cluster =
        RedisCluster.builder()
            .nodes(node -> node.tls(ServerTls.oneWay()).password("secret"))
            .start()) {
      all.addAll(cluster.nodes());
      int slot = cluster.slotOf("key");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to = cluster.masters().stream().filter(m -> m != from).findFirst().orElseThrow();
      from.command("SET", "key", "value");
      cluster.moveSlot(slot, to);
      assertThat(to.command("GET", "key")).isEqualTo("value");
      RedisServer replica = cluster.replicaOf(to);
      cluster.failover(replica, RedisCluster.Failover.ORDERLY);
      cluster.awaitMasterOf(slot, server -> server == replica, BOUND);
    }
    assertThat(all).hasSize(6).allSatisfy(Leftovers::assertNone);
  }

  private static RedisSentinels sentinels(ServerTls tls) {
    return RedisSentinels.builder().nodes(node -> node.tls(tls).password("secret")).start();
  }

  private static String greet(int port, SSLContext context) {
    try (RespConnection connection = RespConnection.open("127.0.0.1", port, SOON, context)) {
      return String.valueOf(connection.call("PING"));
    } catch (RedisErrorReply e) {
      return String.valueOf(e.getMessage()).split(" ", -1)[0];
    }
  }

  private void handshakeWithNameCheck(String host, int port) throws IOException {
    try (SSLSocket socket =
        (SSLSocket) trustingOnly().getSocketFactory().createSocket(host, port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(5_000);
      socket.startHandshake();
    }
  }

  /** A client that has no certificate. */
  private SSLContext trustingOnly() {
    try {
      KeyStore trusted =
          KeyStore.getInstance(
              certificates.trustStore().toFile(), TestCertificates.STORE_PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
