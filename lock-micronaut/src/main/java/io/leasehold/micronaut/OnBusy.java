package io.leasehold.micronaut;

/** What a {@link Locked} method does when somebody else holds its lock for too long. */
public enum OnBusy {
  /** The caller gets the {@link io.leasehold.LockTimeoutException}. */
  FAIL,
  /**
   * The method is not called. The caller gets {@code null}, an empty {@code Optional}, a stage that
   * is complete with one of these, or an empty publisher. Not for methods that return a primitive.
   */
  SKIP
}
