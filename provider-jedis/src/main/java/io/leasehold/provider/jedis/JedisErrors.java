package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What the driver's exceptions and replies mean. Its exceptions are dropped, because their messages
 * may quote the server; the cause below them is kept.
 */
final class JedisErrors {

  private JedisErrors() {}

  /** Why there is no connection. Nothing was sent. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return (RuntimeException) error;
    }
    if (error instanceof NoSuchElementException
        && !String.valueOf(error.getMessage()).startsWith("Unable to")) {
      return RedisConnectionFailure.overloaded();
    }
    if (error instanceof CompletionException && error.getCause() != null) {
      return ofConnecting(error.getCause());
    }
    Throwable root = root(error);
    if (root instanceof JedisDataException) {
      return new RedisErrorReply(String.valueOf(root.getMessage()));
    }
    return root instanceof JedisException
        ? RedisConnectionFailure.unreachable("cannot connect: no server could be used", null)
        : RedisConnectionFailure.cannotConnect(root);
  }

  /** Why replies did not come. The commands were sent, or may have been. */
  static RuntimeException ofCommand(Throwable error) {
    Throwable root = root(error);
    Throwable cause = root instanceof JedisException ? null : root;
    return root instanceof SocketTimeoutException
        ? RedisConnectionFailure.timeout(cause)
        : RedisConnectionFailure.lost(cause);
  }

  /** Jedis keeps the reason among the suppressed when it tried several addresses or nodes. */
  private static Throwable root(Throwable error) {
    Throwable[] hidden = error.getSuppressed();
    Throwable below = error.getCause() == null && hidden.length > 0 ? hidden[0] : error.getCause();
    return below == null || error instanceof UnknownHostException ? error : root(below);
  }

  /**
   * A reply as a port has it; RESP3, which a client of an application may speak, has more types.
   */
  static @Nullable Object reply(@Nullable Object raw) {
    if (raw instanceof List<?> list) {
      List<@Nullable Object> replies = new ArrayList<>(list.size());
      for (Object element : list) {
        if (element instanceof Map.Entry<?, ?> entry) {
          replies.add(reply(entry.getKey()));
          replies.add(reply(entry.getValue()));
        } else {
          replies.add(reply(element));
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
}
