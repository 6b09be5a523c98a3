package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server did not answer. The kind says how far the command got: {@link FailureKind#TIMEOUT} and
 * {@link FailureKind#CONNECTION_LOST} mean that it was, or may have been, sent; {@link
 * FailureKind#UNREACHABLE}, {@link FailureKind#OVERLOADED} and {@link FailureKind#CLOSED} that it
 * was not, or that nobody cares any more.
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

  private final FailureKind kind;

  /**
   * @param kind one of those above
   * @param message for a person; without secrets
   * @param cause what the driver threw; must not carry a secret either
   */
  public RedisConnectionFailure(FailureKind kind, String message, @Nullable Throwable cause) {
    // Without a stack of its own: it is made on a thread of the driver, where that tells nothing.
    super(message, cause, false, false);
    if (!KINDS.contains(kind)) {
      throw new IllegalArgumentException("not a failure of a connection: " + kind);
    }
    this.kind = kind;
  }

  /** How far the command got. */
  public FailureKind kind() {
    return kind;
  }
}
