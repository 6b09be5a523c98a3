package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockConfigurationException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.Opened;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Findings;
import io.leasehold.testkit.RedisSentinels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others' layouts do not offer is refused in clear words, or told. */
class LayoutConfigurationTest {

  @ParameterizedTest
  @CsvSource({
    "lock:redlock:jedis:redis://a;b;c?layout=redisson, layout",
    "lock:redlock:lettuce:redis://a;b;c?layout=setnx, layout",
    "lock:vertx:redis://a?layout=redisson&guard=on, guard",
    "lock:jedis:redis://a?layout=setnx&minReplicas=1, minReplicas",
    "lock:lettuce:redis://a?layout=redisson&fair=true, fair",
  })
  void isRefusedWithoutAskingAServer(String url, String key) {
    // A comma separates what the table holds, too.
    assertThatThrownBy(() -> Locks.open(url.replace(";", ",")))
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> {
              assertThat(e.key()).isEqualTo(key);
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
            })
        .hasMessageContaining("layout=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redisson", "setnx"})
  void behindSentinelThereIsNoGuardAndThatIsTold(String layout) {
    try (RedisSentinels set = RedisSentinels.start();
        Opened opened = Opened.open(Driver.LETTUCE.url(set, "layout=" + layout))) {
      assertThat(opened.findings()).extracting(Findings.Finding::id).contains("LH-208");
      opened.client().lock("a").tryAcquire().orElseThrow().close();
    }
  }
}
