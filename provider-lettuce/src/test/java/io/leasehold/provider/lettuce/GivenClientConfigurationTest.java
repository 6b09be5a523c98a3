package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortFixture;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What an application configured on the client that it hands in holds for the locks, too. */
class GivenClientConfigurationTest extends PortFixture {

  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    throw new UnsupportedOperationException("each test has a client of its own");
  }

  @Test
  void credentialsMayChange() {
    try (RedisServer server = RedisServer.start();
        RedisClient client = RedisClient.create()) {
      Login login = new Login(List.of(server));
      RedisURI uri = RedisURI.create(server.host(), server.port());
      uri.setCredentialsProvider(login);
      login.mayChange(LettucePorts.on(client, uri, context()));
    }
  }

  @Test
  @Tag("full")
  void credentialsMayChangeBehindSentinel() {
    try (RedisSentinels set = RedisSentinels.start();
        RedisClient client = RedisClient.create()) {
      Login login = new Login(set.servers());
      RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(set.masterName());
      set.sentinels().forEach(each -> uri.withSentinel(each.host(), each.port()));
      login.mayChange(LettucePorts.on(client, uri.withAuthentication(login).build(), context()));
    }
  }

  @Test
  @Tag("full")
  void credentialsMayChangeOnACluster() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start()) {
      Login login = new Login(cluster.nodes());
      RedisURI uri = uri(cluster);
      uri.setCredentialsProvider(login);
      try (RedisClusterClient client = RedisClusterClient.create(uri)) {
        login.mayChange(LettucePorts.on(client, context()));
      }
    }
  }

  @Test
  void encryptionIsThatOfTheClient() {
    TestCertificates certificates = TestCertificates.get();
    try (RedisServer server = RedisServer.start();
        TlsProxy proxy = TlsProxy.to(server, ServerTls.mutual());
        RedisClient client = RedisClient.create()) {
      RedisURI uri = RedisURI.create("rediss://localhost:" + proxy.port());
      SslOptions untrusting = SslOptions.create();
      client.setOptions(ClientOptions.builder().sslOptions(untrusting).build());
      DriverPort refused = LettucePorts.on(client, uri, context());
      assertThat(works(refused, "k")).isFalse();
      refused.close();
      SslOptions mutual =
          SslOptions.builder()
              .trustManager(certificates.ca().toFile())
              .keyManager(
                  certificates.client().certificate().toFile(),
                  certificates.client().key().toFile(),
                  new char[0])
              .build();
      client.setOptions(ClientOptions.builder().sslOptions(mutual).build());
      DriverPort port = LettucePorts.on(client, uri, context());
      assertThat(works(port, "k")).isTrue();
      port.close();
    }
  }

  @Test
  @Tag("full")
  void aMoveThatTheClientSeesIsReported() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        RedisClusterClient client = RedisClusterClient.create(uri(cluster))) {
      client.setOptions(
          ClusterClientOptions.builder()
              .topologyRefreshOptions(
                  ClusterTopologyRefreshOptions.builder()
                      .enablePeriodicRefresh(Duration.ofMillis(100))
                      .build())
              .build());
      DriverPort port = LettucePorts.on(client, context());
      int slot = cluster.slotOf("k");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.masters().stream().filter(other -> other != from).findFirst().orElseThrow();
      Listener listener = new Listener();
      await().until(() -> listener.subscribe(port, "k"));
      // No command is sent: nothing but the client's own refresh can notice.
      cluster.moveSlot(slot, to);
      await().until(() -> listener.interruptions.get() > 0);
      await().until(() -> listener.subscribe(port, "k") && listener.isHeardAt(to));
      port.close();
    }
  }

  private static RedisURI uri(RedisCluster cluster) {
    RedisServer first = cluster.masters().get(0);
    return RedisURI.create(first.host(), first.port());
  }

  /** A login whose password changes while it is used. */
  private final class Login implements RedisCredentialsProvider {
    private static final String KEY = "k";

    private final List<RedisServer> servers;
    private volatile String password = "first";

    Login(List<RedisServer> servers) {
      this.servers = servers;
      acl("on", "~*", "&*", "+@all", ">first");
    }

    @Override
    public Mono<RedisCredentials> resolveCredentials() {
      return Mono.fromSupplier(() -> RedisCredentials.just("app", password.toCharArray()));
    }

    void mayChange(DriverPort port) {
      await().until(() -> works(port, KEY));
      acl(">second");
      password = "second";
      acl("<first");
      assertThat(works(port, KEY)).as("what is logged in stays so").isTrue();
      for (RedisServer server : servers) {
        server.command("CLIENT", "KILL", "USER", "app");
      }
      await().until(() -> works(port, KEY));
      await().until(() -> new Listener().subscribe(port, KEY));
      port.close();
    }

    private void acl(String... rules) {
      for (RedisServer server : servers) {
        server.command(
            Stream.concat(Stream.of("ACL", "SETUSER", "app"), Stream.of(rules))
                .toArray(String[]::new));
      }
    }
  }

  /** Listens to one channel, and counts its interruptions. */
  private static final class Listener implements DriverPort.Subscriber {
    private static final byte[] CHANNEL = "news".getBytes(StandardCharsets.UTF_8);

    private final AtomicInteger interruptions = new AtomicInteger();

    boolean subscribe(DriverPort port, String key) {
      return port.subscribe(key.getBytes(StandardCharsets.UTF_8), CHANNEL, this)
          .handle((confirmed, error) -> error == null)
          .toCompletableFuture()
          .join();
    }

    /** PUBLISH in a script counts the subscribers of this node alone. */
    boolean isHeardAt(RedisServer node) {
      String script = "return redis.call('PUBLISH', 'news', KEYS[1])";
      return Long.valueOf(1).equals(node.command("EVAL", script, "1", "k"));
    }

    @Override
    public void message(byte[] payload) {}

    @Override
    public void interrupted() {
      interruptions.incrementAndGet();
    }
  }
}
