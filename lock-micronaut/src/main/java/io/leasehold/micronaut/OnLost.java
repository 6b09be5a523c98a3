package io.leasehold.micronaut;

/** What a {@link Locked} method that has succeeded does when its lease was lost meanwhile. */
public enum OnLost {
  /**
   * The caller gets a {@link io.leasehold.LeaseLostException} in the place of the result: what the
   * method did is done, but perhaps not alone.
   */
  FAIL,
  /** The caller gets the result. */
  IGNORE
}
