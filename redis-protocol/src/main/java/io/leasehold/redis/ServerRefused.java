package io.leasehold.redis;

import io.leasehold.spi.FailureKind;

/** The server answers, but must not be used for locks. */
final class ServerRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureKind kind;

  ServerRefused(FailureKind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  FailureKind kind() {
    return kind;
  }
}
