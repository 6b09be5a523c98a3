package io.leasehold;

/** The client has been closed, before or during the call. Nothing is held. */
public final class LockClosedException extends LockException {
  private static final long serialVersionUID = 1L;

  /** A call that met a closed client. */
  public LockClosedException() {
    super("The lock client has been closed");
  }
}
