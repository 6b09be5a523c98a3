package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Replies as a driver gives them, of any shape; many begin like real ones. */
final class RandomReplies {
  private static final List<String> WORDS =
      List.of(
          "GRANTED",
          "RELEASED",
          "BUSY",
          "EXTENDED",
          "RAISED",
          "GUARDED",
          "EXPIRED",
          "REFUSED",
          "ABSENT",
          "TAKEN",
          "FORCED",
          "VOUCHED",
          "LEFT",
          "INSPECTED",
          "ERROR:",
          "ERROR:WRONGTYPE",
          "",
          "0",
          "-1",
          "1794801418162878",
          "9007199254740991",
          "9007199254740992",
          "9223372036854775807",
          "99999999999999999999",
          "1794801418 162878 0",
          "1 2",
          "1 2 3 4",
          "1 1000000 0",
          "9999999999 0 0",
          "1  0",
          "1 2 99999999999",
          "0.5",
          "+1",
          "1e3",
          "\u0000",
          "min-replicas-to-write",
          "min-replicas-max-lag",
          "127.0.0.1",
          "6379",
          "65536",
          "name=x");
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    -2,
    -3,
    7,
    16_383,
    16_384,
    65_535,
    65_536,
    1L << 31,
    1L << 53,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final Random random;

  RandomReplies(Random random) {
    this.random = random;
  }

  @Nullable Object next() {
    return next(0);
  }

  /** The reply of a script: a list, or whatever there is in the place of one. */
  List<?> script() {
    return list(0);
  }

  private @Nullable Object next(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 9)) {
      case 0 -> null;
      case 1, 2 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 3, 4 -> WORDS.get(random.nextInt(WORDS.size())).getBytes(US_ASCII);
      case 5 ->
          random.nextInt(3) == 0
              ? new RedisErrorReply(WORDS.get(random.nextInt(WORDS.size())) + " and more")
              : bytes();
      default -> list(depth + 1);
    };
  }

  private List<@Nullable Object> list(int depth) {
    int size = random.nextInt(8);
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      boolean word = i == 0 && random.nextBoolean();
      list.add(word ? WORDS.get(random.nextInt(WORDS.size())).getBytes(US_ASCII) : next(depth));
    }
    return list;
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }
}
