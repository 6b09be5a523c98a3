package io.leasehold;

/** The provider, or the layout chosen for it, does not offer what was asked for. */
public final class LockCapabilityException extends LockException {
  private static final long serialVersionUID = 1L;

  /** A capability that is missing. */
  public LockCapabilityException(String message) {
    super(message);
  }
}
