package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisOptions;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LettuceLockProviderTest {
  private final LockProviders providers =
      LockProviders.load(LettuceLockProviderTest.class.getClassLoader());

  @Test
  void theProviderIsFoundForPlainRedisUrls() {
    LockProvider found = providers.select(LockUrl.parse("lock:redis://localhost"));
    assertThat(found).isInstanceOf(LettuceLockProvider.class);
    assertThat(found.name()).isEqualTo("lettuce");
    assertThat(found.options()).containsAll(RedisOptions.COMMON);
  }

  @Test
  void anOptionThatWouldBeIgnoredIsRefused() {
    assertThatThrownBy(() -> providers.select(LockUrl.parse("lock:redis://localhost?vertx.x=1")))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("vertx.x"));
  }

  @Test
  void severalHostsAreRefused() {
    LockUrl url = LockUrl.parse("lock:redis://a,b:7000");
    assertThatThrownBy(() -> new LettuceLockProvider().open(url, new NoContext()))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("host"));
  }

  @Test
  void aUrlSaysWhereToConnectAndHowToLogIn() {
    RedisURI uri = uri("lock:redis://app:s3%40cret@h:7/3?connectTimeout=1s&clientName=me");
    assertThat(uri.getHost()).isEqualTo("h");
    assertThat(uri.getPort()).isEqualTo(7);
    assertThat(uri.getDatabase()).isEqualTo(3);
    assertThat(uri.getClientName()).isEqualTo("me");
    assertThat(uri.getTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(uri.isSsl()).isFalse();
    RedisCredentials credentials = credentials(uri);
    assertThat(credentials.getUsername()).isEqualTo("app");
    assertThat(credentials.getPassword()).isEqualTo("s3@cret".toCharArray());
    assertThat(uri.toString()).doesNotContain("s3").doesNotContain("cret");
  }

  @Test
  void aPasswordAloneIsThatOfTheDefaultUserAndNoneMeansNone() {
    RedisCredentials alone = credentials(uri("lock:redis://:pw@h"));
    assertThat(alone.hasUsername()).isFalse();
    assertThat(alone.getPassword()).isEqualTo("pw".toCharArray());
    assertThat(credentials(uri("lock:redis://[::1]")).hasPassword()).isFalse();
  }

  @Test
  void encryptionVerifiesWhatTheUrlSays() {
    assertThat(uri("lock:rediss://h").isSsl()).isTrue();
    assertThat(uri("lock:rediss://h").getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    assertThat(uri("lock:rediss://h?tlsVerify=chain").getVerifyMode()).isEqualTo(SslVerifyMode.CA);
  }

  @Test
  void aProviderThatUsesAClientTakesNothingThatTheClientKnows() {
    try (RedisClient client = RedisClient.create()) {
      LockProvider given = LettuceLockProvider.using(client, RedisURI.create("redis://h"));
      assertThat(given.name()).isEqualTo("lettuce");
      assertThat(given.schemes()).containsExactly("client");
      assertThat(given.options())
          .contains(Options.CONNECT_TIMEOUT)
          .doesNotContain(
              LettuceLockProvider.QUEUE_SIZE,
              Options.MASTER_NAME,
              Options.CLIENT_NAME,
              Options.TLS_CA);
    }
  }

  private static RedisURI uri(String text) {
    LockUrl url = LockUrl.parse(text);
    return LettuceLockProvider.uris(RedisServers.of(url), ConnectionSettings.of(url)).get(0);
  }

  private static RedisCredentials credentials(RedisURI uri) {
    return uri.getCredentialsProvider().resolveCredentials().blockOptional().orElseThrow();
  }

  /** Nothing of it is needed before a connection exists. */
  private static final class NoContext implements ProviderContext {
    @Override
    public LockProviders providers() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Executor newBlockingExecutor(String label) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException();
    }

    @Override
    public TimeSource time() {
      return TimeSource.system();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String clientId() {
      return "client";
    }
  }
}
