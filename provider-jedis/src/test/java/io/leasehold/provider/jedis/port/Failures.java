package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.NoSuchElementException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What the driver's exceptions mean. They are dropped themselves, because their messages may quote
 * the server; the cause below them is kept.
 */
final class Failures {

  private Failures() {}

  /** Why there is no connection. Nothing was sent. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return (RuntimeException) error;
    }
    if (error instanceof NoSuchElementException
        && !String.valueOf(error.getMessage()).startsWith("Unable to")) {
      return RedisConnectionFailure.overloaded();
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
  static RuntimeException ofReading(Throwable error) {
    Throwable root = root(error);
    Throwable cause = root instanceof JedisException ? null : root;
    return root instanceof SocketTimeoutException
        ? RedisConnectionFailure.timeout(cause)
        : RedisConnectionFailure.lost(cause);
  }

  /** Jedis keeps the reason among the suppressed when it tried several addresses or nodes. */
  private static Throwable root(Throwable error) {
    Throwable below = error.getCause();
    if (below == null && error instanceof JedisException && error.getSuppressed().length > 0) {
      below = error.getSuppressed()[0];
    }
    return below == null || error instanceof UnknownHostException ? error : root(below);
  }
}
