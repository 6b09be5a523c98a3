package io.leasehold.spi;

/**
 * A URL, an option or the class path is wrong. The message names what is wrong and what to do, and
 * never contains a secret. The API turns it into its own {@code LockConfigurationException}.
 */
public final class InvalidConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String key;

  /**
   * @param code the kind of error
   * @param key the option key, or the part of the URL, that is wrong
   * @param message for a person; without secrets
   */
  public InvalidConfigurationException(ErrorCode code, String key, String message) {
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
