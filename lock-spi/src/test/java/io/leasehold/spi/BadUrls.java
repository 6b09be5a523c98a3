package io.leasehold.spi;

import java.util.List;
import java.util.Random;

/** Makes URLs that are wrong, most of them only a little. */
final class BadUrls {
  private static final List<String> PIECES =
      List.of(
          "lock:",
          "redis",
          "redlock:",
          "jedis:",
          "://",
          "@",
          ":",
          "/",
          "?",
          "#",
          "&",
          "=",
          ",",
          "%",
          "%4",
          "%zz",
          "%ff",
          "%C3",
          "%00",
          "[",
          "]",
          "[::1]:6379",
          "[fe80::1%25eth0]",
          "..",
          "user:",
          "a,b,c",
          ":65536",
          ":0",
          "/99999999999",
          "/-1",
          "leaseTime=5s",
          "leaseTime=",
          "leaseTime=9223372036854775807d",
          "prefix=x",
          "prefix=x&prefix=y",
          "minReplicas=-1",
          "layout=nonsense",
          "vertx.a.b=c",
          "unknown=1",
          "\u0000",
          "\r\n",
          "\ud800",
          "\udfff",
          "\ud83d\ude00",
          "\uff11",
          "\u0660",
          "\u202e",
          "é",
          " ");

  private final Random random;
  private final String secret;

  BadUrls(Random random, String secret) {
    this.random = random;
    this.secret = secret;
  }

  String next() {
    return switch (random.nextInt(10)) {
      case 0 -> characters(random.nextInt(200));
      case 1 -> "lock:redis://" + characters(random.nextInt(100));
      case 2 -> pieces(random.nextInt(12));
      case 3 -> veryLong();
      default -> mutated();
    };
  }

  /** Correct, and with the secret as a password. */
  String good() {
    StringBuilder url = new StringBuilder("lock:");
    url.append(List.of("", "redlock:", "jedis:", "redlock:lettuce:").get(random.nextInt(4)));
    url.append(List.of("redis", "rediss", "redis-cluster", "REDIS").get(random.nextInt(4)));
    url.append("://").append(List.of("", "app", "a%40p").get(random.nextInt(3)));
    url.append(':').append(secret).append('@');
    url.append(List.of("a", "a:1,b,c:65535", "[::1]:7000", "ä.example").get(random.nextInt(4)));
    url.append(List.of("", "/", "/3").get(random.nextInt(3)));
    url.append(List.of("", "?leaseTime=5s", "?prefix=x%26y&renewal=off").get(random.nextInt(3)));
    return url.toString();
  }

  private String mutated() {
    StringBuilder text = new StringBuilder(good());
    for (int times = random.nextInt(1, 5); times > 0; times--) {
      int at = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), at + random.nextInt(1, 6));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, to);
        case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 2 -> text.replace(at, to, PIECES.get(random.nextInt(PIECES.size())));
        default -> text.insert(at, (char) random.nextInt(0x10000));
      }
    }
    return text.toString();
  }

  private String characters(int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
    }
    return text.toString();
  }

  private String pieces(int count) {
    StringBuilder text = new StringBuilder("lock:redis://");
    for (int i = 0; i < count; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  /** Around the longest that is read, and far beyond. */
  private String veryLong() {
    String piece = PIECES.get(random.nextInt(PIECES.size()));
    int length = random.nextBoolean() ? 8_000 : random.nextInt(200_000);
    return good() + piece.repeat(1 + length / piece.length());
  }
}
