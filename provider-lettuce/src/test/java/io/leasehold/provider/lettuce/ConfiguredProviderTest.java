package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.provider.lettuce.LettuceLockProvider.Settings;
import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortFixture;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Settings that a URL cannot express. */
class ConfiguredProviderTest extends PortFixture {

  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    throw new UnsupportedOperationException("each test has settings of its own");
  }

  private DriverPort open(String text, Consumer<Settings> customizer) {
    LockUrl url = LockUrl.parse(text);
    return ((LettuceLockProvider) LettuceLockProvider.configured(customizer))
        .open(url, RedisServers.of(url), ConnectionSettings.of(url), context());
  }

  @Test
  void settingsAreFilledAsTheUrlSays() {
    DriverPort port =
        open(
            "lock:rediss://app:hidden@a:7?connectTimeout=1s&lettuce.queueSize=20",
            settings -> {
              ClientOptions options = settings.options().build();
              assertThat(options.getSocketOptions().getConnectTimeout())
                  .isEqualTo(Duration.ofSeconds(1));
              assertThat(options.getRequestQueueSize()).isEqualTo(20);
              assertThat(options.isAutoReconnect()).isFalse();
              assertThat(hosts(settings.uris())).containsExactly("a");
              assertThat(settings.toString()).doesNotContain("hidden");
            });
    port.close();
  }

  @Test
  void settingsOfAClusterAreThoseOfItsClient() {
    DriverPort port =
        open(
            "lock:redis-cluster://a,b:7",
            settings -> {
              assertThat(settings.options()).isInstanceOf(ClusterClientOptions.Builder.class);
              assertThat(hosts(settings.uris())).containsExactly("a", "b");
            });
    port.close();
  }

  @Test
  void sentinelsAreAskedWithoutTheLoginBefore() {
    DriverPort port =
        open(
            "lock:redis-sentinel://:pw@a,b:7?masterName=m",
            settings -> {
              RedisURI primary = settings.uris().get(0);
              assertThat(primary.getSentinelMasterId()).isEqualTo("m");
              assertThat(hasPassword(primary)).isTrue();
              assertThat(hosts(primary.getSentinels())).containsExactly("a", "b", "a", "b");
              assertThat(primary.getSentinels())
                  .extracting(ConfiguredProviderTest::hasPassword)
                  .containsExactly(false, false, true, true);
            });
    port.close();
  }

  @Test
  void whatTheApplicationSetsIsUsed() {
    List<String> recorded = new CopyOnWriteArrayList<>();
    try (RedisServer server = RedisServer.start()) {
      server.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-hello");
      DriverPort port =
          open(
              "lock:redis://" + server.host() + ":" + server.port() + "?clientName=locks",
              settings -> {
                settings
                    .uris()
                    .get(0)
                    .setCredentialsProvider(() -> Mono.just(RedisCredentials.just("app", "pw")));
                settings.options().pingBeforeActivateConnection(false);
                settings
                    .resources()
                    .commandLatencyRecorder(
                        (local, remote, command, first, last) -> recorded.add(command.toString()));
              });
      assertThat(works(port, "k")).isTrue();
      assertThat(String.valueOf(server.command("CLIENT", "LIST")))
          .containsPattern(" name=locks .* user=app ");
      assertThat(recorded).contains("SET").doesNotContain("PING");
      port.close();
    }
  }

  @Test
  void whatTheApplicationThrowsIsThrownToTheCallerWhoOpens() {
    IllegalStateException mine = new IllegalStateException("mine");
    assertThatThrownBy(
            () ->
                open(
                    "lock:redis://a",
                    settings -> {
                      throw mine;
                    }))
        .isSameAs(mine);
  }

  private static List<String> hosts(List<RedisURI> uris) {
    return uris.stream().map(RedisURI::getHost).toList();
  }

  private static boolean hasPassword(RedisURI uri) {
    return uri.getCredentialsProvider()
        .resolveCredentials()
        .map(RedisCredentials::hasPassword)
        .blockOptional()
        .orElse(false);
  }
}
