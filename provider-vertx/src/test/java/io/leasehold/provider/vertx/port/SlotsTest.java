package io.leasehold.provider.vertx.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisConnectionFailure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static int slot(String key) {
    return Slots.of(key.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void slotsAreThoseOfTheClusterSpecification() {
    assertThat(slot("123456789")).isEqualTo(0x31C3);
    assertThat(slot("")).isZero();
    assertThat(slot("foo")).isEqualTo(12182);
  }

  @Test
  void aTagDecidesUnlessItIsEmpty() {
    assertThat(slot("a{foo}b{bar}")).isEqualTo(slot("foo"));
    assertThat(slot("foo{}{bar}")).isNotEqualTo(slot("bar"));
    assertThat(slot("{foo")).isNotEqualTo(slot("foo"));
    assertThat(slot("foo{{bar}}zap")).isEqualTo(slot("{bar"));
  }

  @Test
  void ownersAreReadAndAMissingHostIsThatOfTheNodeThatAnswered() {
    Endpoint asked = Endpoint.data("asked", 1);
    Object first = List.of(0L, 1L, List.of("other".getBytes(StandardCharsets.UTF_8), 7L));
    Object second = List.of(5L, 99_999L, Arrays.asList(null, 8L));
    @Nullable Endpoint[] owners = Slots.read(List.of(first, second), asked);
    assertThat(owners[1]).isEqualTo(Endpoint.data("other", 7));
    assertThat(owners[2]).isNull();
    assertThat(owners[Slots.COUNT - 1]).isEqualTo(Endpoint.data("asked", 8));
  }

  @Test
  void anyOtherReplyIsRefused() {
    Endpoint asked = Endpoint.data("asked", 1);
    for (Object reply :
        new Object[] {1L, List.of(1L), List.of(List.of()), List.of(List.of(1L, 2L, List.of()))}) {
      assertThatThrownBy(() -> Slots.read(reply, asked)).isInstanceOf(RedisConnectionFailure.class);
    }
  }
}
