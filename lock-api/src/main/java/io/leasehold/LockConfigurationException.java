package io.leasehold;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;

/**
 * A URL, an option, a lock's name or the class path is wrong. The message says what, and what to
 * do; it never contains a secret.
 */
public final class LockConfigurationException extends LockException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String key;

  /** The same error as found by the SPI; what caused it there is the cause here. */
  public LockConfigurationException(InvalidConfigurationException cause) {
    super(String.valueOf(cause.getMessage()), cause.getCause() == null ? cause : cause.getCause());
    this.code = cause.code();
    this.key = cause.key();
    for (Throwable suppressed : cause.getSuppressed()) {
      addSuppressed(suppressed);
    }
  }

  /** An error found by the API. */
  public LockConfigurationException(ErrorCode code, String key, String message) {
    super(message + " [" + code.id() + "]");
    this.code = code;
    this.key = key;
  }

  /** The kind of error; {@code docs/errors.md} explains each. */
  public ErrorCode code() {
    return code;
  }

  /** The option key, or the part of the URL, that is wrong. */
  public String key() {
    return key;
  }
}
