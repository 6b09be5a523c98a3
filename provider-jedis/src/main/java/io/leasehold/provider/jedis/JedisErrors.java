package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.NoSuchElementException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What the driver's exceptions mean. They are dropped themselves, since their messages may be the
 * server's words as they came; what lies below them is kept as the cause.
 */
final class JedisErrors {

  private JedisErrors() {}

  /** Why there is no connection. Nothing was sent. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return (RuntimeException) error;
    }
    String message = String.valueOf(error.getMessage());
    if (error instanceof JedisDataException) {
      return new RedisErrorReply(message);
    }
    if (error instanceof NoSuchElementException && !message.startsWith("Unable to")) {
      return new RedisConnectionFailure(
          FailureKind.OVERLOADED, "no connection became free in time", null);
    }
    Throwable root = root(error);
    return root instanceof JedisException
        ? RedisConnectionFailure.unreachable("cannot connect: the connection was closed", null)
        : RedisConnectionFailure.cannotConnect(root);
  }

  /** Why replies did not come. The commands were sent, or may have been. */
  static RuntimeException ofCommand(RuntimeException error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return error;
    }
    Throwable root = root(error);
    return root instanceof SocketTimeoutException
        ? RedisConnectionFailure.timeout(root)
        : RedisConnectionFailure.lost(root instanceof JedisException ? null : root);
  }

  /** The same for opening, where whatever else happens means that the server is not there. */
  static RuntimeException ofOpening(RuntimeException error) {
    return error instanceof RedisConnectionFailure failure && failure.kind() != FailureKind.CLOSED
        ? RedisConnectionFailure.unreachable(
            String.valueOf(failure.getMessage()), failure.getCause())
        : error;
  }

  /** Jedis keeps why it could not connect to any address of a host among the suppressed. */
  private static Throwable root(Throwable error) {
    Throwable below = error.getCause();
    if (below == null && error instanceof JedisException && error.getSuppressed().length > 0) {
      below = error.getSuppressed()[0];
    }
    return below == null || error instanceof UnknownHostException ? error : root(below);
  }
}
