package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {

  @ParameterizedTest
  @CsvSource({
    "V7_0, Linux, amd64, redis-server-7.0.15-linux-amd64",
    "V7_0, Linux, x86_64, redis-server-7.0.15-linux-amd64",
    "V7_0, Linux, aarch64, redis-server-7.0.15-linux-arm64",
    "V7_0, Linux, i386, redis-server-7.0.15-linux-386",
    "V7_0, Mac OS X, x86_64, redis-server-7.0.15-darwin-amd64",
    "V7_0, Mac OS X, aarch64, redis-server-7.0.15-darwin-arm64",
    "V6_2, Linux, amd64, redis-server-6.2.6-v5-linux-amd64",
    "V6_2, Linux, aarch64, redis-server-6.2.7-linux-arm64",
    "V6_2, Linux, i386, redis-server-6.2.7-linux-386",
    "V6_2, Mac OS X, x86_64, redis-server-6.2.6-v5-darwin-amd64",
    "V6_2, Mac OS X, aarch64, redis-server-6.2.6-v5-darwin-arm64"
  })
  void each_known_platform_has_its_binary_in_the_jar(
      RedisVersion version, String os, String arch, String resource) {
    assertThat(version.resource(os, arch)).isEqualTo(resource);
    assertThat(RedisBinary.class.getResource("/" + resource)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({"Windows 11, amd64", "Linux, s390x", "Mac OS X, i386"})
  void a_platform_without_binary_is_named_together_with_the_way_out(String os, String arch) {
    assertThatThrownBy(() -> RedisVersion.V7_0.resource(os, arch))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(os + "/" + arch)
        .hasMessageContaining("linux-arm64")
        .hasMessageContaining("-Dleasehold.redis.binary=");
  }

  @Test
  void a_named_binary_that_is_no_executable_is_refused() {
    System.setProperty(RedisBinary.PROPERTY, "/no/such/redis-server");
    try {
      assertThatThrownBy(() -> RedisBinary.path(RedisSettings.PLAIN))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("/no/such/redis-server");
    } finally {
      System.clearProperty(RedisBinary.PROPERTY);
    }
  }
}
