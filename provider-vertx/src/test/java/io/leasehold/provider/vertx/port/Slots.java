package io.leasehold.provider.vertx.port;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisConnectionFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The slots of a cluster: which a key has, and what CLUSTER SLOTS says about their owners. */
final class Slots {
  static final int COUNT = 16_384;

  private Slots() {}

  /** CRC-16 (XMODEM) of the key, or of what is between its first braces. */
  static int of(byte[] key) {
    String text = new String(key, StandardCharsets.ISO_8859_1);
    int open = text.indexOf('{');
    int close = text.indexOf('}', open + 1);
    boolean tagged = open >= 0 && close > open + 1;
    int crc = 0;
    for (int i = tagged ? open + 1 : 0; i < (tagged ? close : key.length); i++) {
      crc ^= (key[i] & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc << 1) ^ ((crc & 0x8000) == 0 ? 0 : 0x1021);
      }
    }
    return crc & (COUNT - 1);
  }

  /**
   * The owners of all slots, from a reply to CLUSTER SLOTS.
   *
   * @throws RedisConnectionFailure if it is none
   */
  static @Nullable Endpoint[] read(@Nullable Object reply, Endpoint asked) {
    @Nullable Endpoint[] owners = new Endpoint[COUNT];
    for (Object each : reply instanceof List<?> ranges ? ranges : List.of("unreadable")) {
      if (!(each instanceof List<?> range
          && range.size() > 2
          && range.get(0) instanceof Long first
          && range.get(1) instanceof Long last
          && range.get(2) instanceof List<?> primary
          && primary.size() > 1
          && primary.get(1) instanceof Long port)) {
        throw RedisConnectionFailure.unreachable("unreadable reply to CLUSTER SLOTS", null);
      }
      String host =
          primary.get(0) instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
      Endpoint owner = endpoint(host, port.intValue(), asked);
      for (long slot = Math.max(0, first); slot <= Math.min(last, COUNT - 1); slot++) {
        owners[(int) slot] = owner;
      }
    }
    return owners;
  }

  /** What a node calls another one; a missing host means its own. */
  static Endpoint endpoint(String host, int port, Endpoint asked) {
    return Endpoint.data(host.isEmpty() || host.equals("?") ? asked.host() : host, port);
  }
}
