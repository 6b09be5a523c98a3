package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.RedisOptions;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import io.lettuce.core.RedisCredentials;
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
    assertThatThrownBy(() -> providers.select(LockUrl.parse("lock:redis://localhost?guard=on")))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("guard"));
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
    Settings settings =
        Settings.of(
            LockUrl.parse(
                "lock:redis://app:s3%40cret@h:7000/3?connectTimeout=1s&commandTimeout=70ms"
                    + "&clientName=me&lettuce.queueSize=20"));
    assertThat(settings.server().getHost()).isEqualTo("h");
    assertThat(settings.server().getPort()).isEqualTo(7000);
    assertThat(settings.server().getDatabase()).isEqualTo(3);
    assertThat(settings.server().getClientName()).isEqualTo("me");
    assertThat(settings.server().getTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.commandTimeout()).isEqualTo(Duration.ofMillis(70));
    assertThat(settings.queueSize()).isEqualTo(20);
    RedisCredentials credentials = credentials(settings);
    assertThat(credentials.getUsername()).isEqualTo("app");
    assertThat(credentials.getPassword()).isEqualTo("s3@cret".toCharArray());
    assertThat(settings.toString()).doesNotContain("s3").doesNotContain("cret");
  }

  @Test
  void aPasswordAloneIsThatOfTheDefaultUserAndNoneMeansNone() {
    RedisCredentials alone = credentials(Settings.of(LockUrl.parse("lock:redis://:pw@h")));
    assertThat(alone.hasUsername()).isFalse();
    assertThat(alone.getPassword()).isEqualTo("pw".toCharArray());
    Settings none = Settings.of(LockUrl.parse("lock:redis://h"));
    assertThat(none.server().getPort()).isEqualTo(6379);
    assertThat(credentials(none).hasPassword()).isFalse();
  }

  private static RedisCredentials credentials(Settings settings) {
    return settings
        .server()
        .getCredentialsProvider()
        .resolveCredentials()
        .blockOptional()
        .orElseThrow();
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
