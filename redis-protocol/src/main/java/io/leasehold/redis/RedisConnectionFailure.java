package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server did not answer. The kind says how far the command got: {@link FailureKind#TIMEOUT} and
 * {@link FailureKind#CONNECTION_LOST} mean that it was, or may have been, sent; {@link
 * FailureKind#UNREACHABLE}, {@link FailureKind#OVERLOADED} and {@link FailureKind#CLOSED} that it
 * was not, or that its client is closed.
 */
public final class RedisConnectionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Set<FailureKind> KINDS =
      EnumSet.of(
          FailureKind.TIMEOUT,
          FailureKind.CONNECTION_LOST,
          FailureKind.UNREACHABLE,
          FailureKind.OVERLOADED,
          FailureKind.CLOSED);

  private static final int LONGEST = 200;

  private final FailureKind kind;

  /**
   * @param kind one of those above
   * @param message for a person; without secrets
   * @param cause what the driver threw; must not carry a secret either
   */
  public RedisConnectionFailure(FailureKind kind, String message, @Nullable Throwable cause) {
    // Without a stack of its own: it is made on a thread of the driver, where a stack says nothing.
    super(message, cause, false, false);
    if (!KINDS.contains(kind)) {
      throw new IllegalArgumentException("not a failure of a connection: " + kind);
    }
    this.kind = kind;
  }

  /** The client is closed. */
  public static RedisConnectionFailure closed() {
    return new RedisConnectionFailure(FailureKind.CLOSED, "the client is closed", null);
  }

  /** Nothing was sent, because too much waits already. */
  public static RedisConnectionFailure overloaded() {
    return new RedisConnectionFailure(
        FailureKind.OVERLOADED, "too many requests wait for their replies", null);
  }

  /** Sent, or perhaps sent, and not answered in time. */
  public static RedisConnectionFailure timeout(@Nullable Throwable cause) {
    return new RedisConnectionFailure(
        FailureKind.TIMEOUT, "no reply within the command timeout", cause);
  }

  /** Sent, or perhaps sent, on a connection that broke, or had to be given up. */
  public static RedisConnectionFailure lost(@Nullable Throwable cause) {
    return new RedisConnectionFailure(
        FailureKind.CONNECTION_LOST, "the connection broke before the reply came", cause);
  }

  /** Nothing was sent: there is no connection. */
  public static RedisConnectionFailure unreachable(String why, @Nullable Throwable cause) {
    return new RedisConnectionFailure(FailureKind.UNREACHABLE, why, cause);
  }

  /** Nothing was sent: no connection could be made. The deepest cause says why. */
  public static RedisConnectionFailure cannotConnect(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && !(cause instanceof UnknownHostException)) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    String why = message.substring(0, Math.min(message.length(), LONGEST));
    if (cause instanceof UnknownHostException) {
      why = "the host is not known";
    } else if (cause instanceof SocketTimeoutException) {
      why = "no answer in time";
    } else if (cause instanceof InterruptedException) {
      why = "interrupted";
    } else if (cause instanceof ClosedChannelException) {
      why = "the server closed the connection";
    }
    return unreachable("cannot connect: " + why, error);
  }

  /** How far the command got. */
  public FailureKind kind() {
    return kind;
  }
}
