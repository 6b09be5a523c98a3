package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What the driver's exceptions mean. They are dropped themselves, since their messages may be the
 * server's words as they came; what lies below them is kept as the cause.
 */
final class JedisErrors {
  private static final int LONGEST = 200;

  private JedisErrors() {}

  /** Why there is no connection. Nothing was sent. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return (RuntimeException) error;
    }
    if (error instanceof JedisDataException) {
      return new RedisErrorReply(String.valueOf(error.getMessage()));
    }
    Throwable root = root(error);
    String message = String.valueOf(root.getMessage());
    if (error instanceof NoSuchElementException && !message.startsWith("Unable to")) {
      return failure(FailureKind.OVERLOADED, "no connection became free in time", null);
    }
    String why = message.substring(0, Math.min(message.length(), LONGEST));
    if (root instanceof UnknownHostException) {
      why = "the host is not known";
    } else if (root instanceof SocketTimeoutException) {
      why = "no answer in time";
    } else if (root instanceof InterruptedException) {
      why = "interrupted";
    } else if (root instanceof JedisException) {
      why = "the connection was closed";
    }
    return failure(FailureKind.UNREACHABLE, "cannot connect: " + why, root);
  }

  /** Why replies did not come. The commands were sent, or may have been. */
  static RuntimeException ofCommand(RuntimeException error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return error;
    }
    Throwable root = root(error);
    return root instanceof SocketTimeoutException
        ? failure(FailureKind.TIMEOUT, "no reply in time", root)
        : failure(FailureKind.CONNECTION_LOST, "the connection broke before the reply came", root);
  }

  /** The same for opening, where whatever else happens means that the server is not there. */
  static RuntimeException ofOpening(RuntimeException error) {
    return error instanceof RedisConnectionFailure failure && failure.kind() != FailureKind.CLOSED
        ? failure(FailureKind.UNREACHABLE, String.valueOf(failure.getMessage()), failure.getCause())
        : error;
  }

  static RuntimeException closed() {
    return failure(FailureKind.CLOSED, "closed", null);
  }

  private static RuntimeException failure(FailureKind kind, String why, @Nullable Throwable root) {
    return new RedisConnectionFailure(kind, why, root instanceof JedisException ? null : root);
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
