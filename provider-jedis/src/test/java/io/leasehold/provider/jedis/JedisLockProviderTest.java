package io.leasehold.provider.jedis;

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
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.RedisClient;

class JedisLockProviderTest {
  private final LockProviders providers =
      LockProviders.load(JedisLockProviderTest.class.getClassLoader());

  @Test
  void theProviderIsFoundForEverySchemeOfRedis() {
    for (String scheme : RedisServers.SCHEMES) {
      LockProvider found = providers.select(LockUrl.parse("lock:" + scheme + "://localhost"));
      assertThat(found).isInstanceOf(JedisLockProvider.class);
      assertThat(found.name()).isEqualTo("jedis");
      assertThat(found.options())
          .containsAll(RedisOptions.COMMON)
          .contains(JedisLockProvider.POOL_SIZE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "redis://a/?jedis.poolSize=0, jedis.poolSize",
    "redis://a/?tlsVerify=off, tlsVerify",
    "rediss://a/?tlsCa=/no/such/file, tlsCa",
    "redis://a/?clientName=a%20b, clientName",
  })
  void whatCannotBeIsRefusedBeforeThereIsADriver(String url, String key) {
    LockUrl parsed = LockUrl.parse("lock:" + url);
    assertThatThrownBy(
            () ->
                JedisLockProvider.settings(
                    ConnectionSettings.of(parsed), parsed.get(JedisLockProvider.POOL_SIZE)))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class, error -> assertThat(error.key()).isEqualTo(key));
  }

  @Test
  void severalHostsAreRefused() {
    LockUrl url = LockUrl.parse("lock:redis://a,b:7000");
    assertThatThrownBy(() -> new JedisLockProvider().open(url, noContext()))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("host"));
  }

  @Test
  void withAClientOnlyWhatItHasNotSettledMayBeAsked() {
    try (RedisClient client = RedisClient.create("127.0.0.1", 1)) {
      LockProvider provider = JedisLockProvider.using(client);
      assertThat(provider.name()).isEqualTo("jedis");
      assertThat(provider.schemes()).containsExactly("client");
      assertThat(provider.options())
          .contains(Options.GUARD, Options.CONNECT_TIMEOUT)
          .doesNotContain(
              JedisLockProvider.POOL_SIZE,
              Options.CLIENT_NAME,
              Options.MASTER_NAME,
              Options.TLS_CA,
              Options.TLS_VERIFY);
    }
  }

  /** For tests that end before a context is needed. */
  private static ProviderContext noContext() {
    return (ProviderContext)
        Proxy.newProxyInstance(
            JedisLockProviderTest.class.getClassLoader(),
            new Class<?>[] {ProviderContext.class},
            (proxy, method, args) -> {
              throw new AssertionError("not needed: " + method);
            });
  }
}
