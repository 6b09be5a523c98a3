package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesAndOptionsTest {
  private final EngineFixture engine = new EngineFixture();
  private final LockClient client = engine.open();

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t\n", "leasehold:fence:x", "lone \ud800 surrogate"})
  @SuppressWarnings("NullAway") // a null name is what this is about
  void someTextsCannotBeNames(String name) {
    assertThatThrownBy(() -> client.lock(name))
        .isInstanceOfSatisfying(
            LockConfigurationException.class, e -> assertThat(e.key()).isEqualTo("name"));
  }

  @Test
  void aNameHasALongestLength() {
    assertThat(client.lock("x".repeat(1_024)).tryAcquire()).isPresent();
    assertThatThrownBy(() -> client.lock("x".repeat(1_025)))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("1024 bytes");
    assertThatThrownBy(() -> client.lock("锁".repeat(342)))
        .isInstanceOf(LockConfigurationException.class);
    assertThatThrownBy(() -> client.lock("x".repeat(10_000)))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageNotContaining("xxxx");
  }

  @ParameterizedTest
  @ValueSource(strings = {"锁", "{a}{b}", "\u0000", "🔒 emoji", "a\nb", "'; DROP", "..", "a:b"})
  void unusualNamesAreFine(String name) {
    assertThat(client.lock(name).tryAcquire()).isPresent();
    assertThat(engine.node.grants.get(0).name()).isEqualTo(name);
  }

  @Test
  void thePrefixGoesBeforeTheName() {
    LockClient prefixed = engine.builder().option("prefix", "shop:").open();
    assertThat(prefixed.lock("a").tryAcquire()).isPresent();
    assertThat(engine.node.grants.get(0).name()).isEqualTo("shop:a");
  }

  @Test
  void aLeaseTimeOutsideItsBoundsIsRefused() {
    for (Duration bad :
        new Duration[] {
          Duration.ZERO,
          Duration.ofMillis(-1),
          Duration.ofMillis(9),
          Duration.ofSeconds(61),
          Duration.ofSeconds(Long.MAX_VALUE)
        }) {
      assertThatThrownBy(() -> client.lock("a", LockOptions.defaults().withLeaseTime(bad)))
          .isInstanceOfSatisfying(
              LockConfigurationException.class, e -> assertThat(e.key()).isEqualTo("leaseTime"));
    }
    assertThatThrownBy(() -> engine.builder().option("leaseTime", "2m").open())
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("leaseTime");
  }

  @Test
  void waitingTimesMayBeAnything() throws InterruptedException {
    assertThat(client.lock("a").tryAcquire(Duration.ofSeconds(-5))).isPresent();
    assertThat(client.lock("b").tryAcquire(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
        .isPresent();
  }

  @Test
  void fairnessThatTheNodeDoesNotOfferIsRefused() {
    assertThatThrownBy(() -> engine.builder().option("fair", "true").open())
        .isInstanceOfSatisfying(
            LockConfigurationException.class, e -> assertThat(e.key()).isEqualTo("fair"));
  }
}
