package io.leasehold;

/** The root of everything that Leasehold throws. */
public class LockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** For subclasses. */
  protected LockException(String message) {
    super(message);
  }

  /** For subclasses. */
  protected LockException(String message, Throwable cause) {
    super(message, cause);
  }
}
