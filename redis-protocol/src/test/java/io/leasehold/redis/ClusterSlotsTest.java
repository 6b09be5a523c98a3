package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSlotsTest {

  @Test
  void theChecksumIsTheOneThatRedisPublishes() {
    byte[] check = bytes("123456789");
    assertThat(ClusterSlots.crc16(check, 0, check.length)).isEqualTo(0x31C3);
  }

  @ParameterizedTest
  @CsvSource({
    "foo,12182",
    "bar,5061",
    "hello,866",
    "somekey,11058",
    "foo{hash_tag},2515",
    "order:42,8691",
    "größe,9425",
    "{a}b,15495",
    "}{,12793",
    "{}{},15786",
    "foo{}{bar},8363",
    "foo{{bar}}zap,4015"
  })
  void slotsAreThoseOfClusterKeyslot(String key, int slot) {
    assertThat(ClusterSlots.of(bytes(key))).isEqualTo(slot);
  }

  @ParameterizedTest
  @CsvSource({
    "{user1000}.following,user1000",
    "{user1000}.followers,user1000",
    "foo{{bar}}zap,{bar",
    "foo{bar}{zap},bar",
    "}{bar},bar"
  })
  void onlyTheFirstTagOfAKeyCounts(String key, String tag) {
    assertThat(ClusterSlots.of(bytes(key))).isEqualTo(remainder(bytes(tag)) % ClusterSlots.COUNT);
  }

  @ParameterizedTest
  @CsvSource({"foo{}{bar}", "{}", "{", "}", "a{b", "a}b{"})
  void aKeyWithoutAProperTagIsHashedWhole(String key) {
    assertThat(ClusterSlots.of(bytes(key))).isEqualTo(remainder(bytes(key)) % ClusterSlots.COUNT);
  }

  @Test
  void everySlotHasAShortTagThatLiesInIt() {
    for (int slot = 0; slot < ClusterSlots.COUNT; slot++) {
      byte[] tag = ClusterSlots.tag(slot);
      assertThat(tag.length).isBetween(1, 3);
      assertThat(remainder(tag) % ClusterSlots.COUNT).isEqualTo(slot);
      assertThat(new String(tag, StandardCharsets.US_ASCII)).matches("[0-9A-Za-z]+");
    }
  }

  /** Clients of all versions must agree on the tags: this digest must never change. */
  @Test
  void theTableIsFrozen() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-1");
    for (int slot = 0; slot < ClusterSlots.COUNT; slot++) {
      digest.update(ClusterSlots.tag(slot));
      digest.update((byte) '\n');
    }
    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("2f9fb73e32c6eb61f749e180f0ad79173b316b69");
  }

  /** CRC-16 by its definition: the remainder of a division of polynomials over GF(2). */
  private static int remainder(byte[] message) {
    BigInteger polynomial = BigInteger.valueOf(0x11021);
    BigInteger rest = new BigInteger(1, message).shiftLeft(16);
    while (rest.bitLength() > 16) {
      rest = rest.xor(polynomial.shiftLeft(rest.bitLength() - 17));
    }
    return rest.intValueExact();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
