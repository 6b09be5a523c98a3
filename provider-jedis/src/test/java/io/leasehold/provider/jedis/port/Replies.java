package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisErrorReply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** Replies as the port has them. */
final class Replies {

  private Replies() {}

  /** Converts a reply; RESP3, which a client of an application may speak, has more types. */
  static @Nullable Object of(@Nullable Object raw) {
    if (raw instanceof List<?> list) {
      List<Object> replies = new ArrayList<>(list.size());
      for (Object element : list) {
        if (element instanceof Map.Entry<?, ?> entry) {
          replies.add(of(entry.getKey()));
          replies.add(of(entry.getValue()));
        } else {
          replies.add(of(element));
        }
      }
      return replies;
    }
    if (raw instanceof JedisDataException error) {
      return new RedisErrorReply(String.valueOf(error.getMessage()));
    }
    if (raw instanceof Boolean truth) {
      return truth ? 1L : 0L;
    }
    return raw instanceof Double ? raw.toString().getBytes(StandardCharsets.US_ASCII) : raw;
  }

  /** With redirections, which cannot be followed, as errors. */
  static List<Object> all(List<Object> replies) {
    List<Object> all = new ArrayList<>(replies);
    all.replaceAll(Replies::of);
    return all;
  }
}
