package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockKeysTest {

  @Test
  void theLockIsItsNameAndCompanionsCarryATagOfItsSlot() {
    LockKeys keys = LockKeys.of("foo", false);
    String tag =
        new String(
            ClusterSlots.tag(12182), StandardCharsets.US_ASCII); // CLUSTER KEYSLOT foo = 12182
    assertThat(text(keys.get(Key.LOCK))).isEqualTo("foo");
    assertThat(text(keys.get(Key.FENCE))).isEqualTo("leasehold:fence:{" + tag + "}:foo");
    assertThat(text(keys.get(Key.WAITERS))).isEqualTo("leasehold:waiters:{" + tag + "}:foo");
    assertThat(text(keys.get(Key.FORCED))).isEqualTo("leasehold:forced:{" + tag + "}:foo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order:42",
        "{a}b",
        "}{",
        "{}{}",
        "{",
        "a{b}{c}",
        "\0",
        "größe",
        "\uD83D\uDD12{x}"
      })
  void allKeysOfALockLieInOneSlot(String name) {
    LockKeys keys = LockKeys.of(name, false);
    int slot = ClusterSlots.of(keys.get(Key.LOCK));
    assertThat(List.of(keys.get(Key.FENCE), keys.get(Key.WAITERS), keys.get(Key.FORCED)))
        .allSatisfy(key -> assertThat(ClusterSlots.of(key)).isEqualTo(slot));
  }

  @Test
  void aNameThatUtf8CannotExpressIsRefused() {
    assertThatThrownBy(() -> LockKeys.of("half\uD83D", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("surrogate");
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
