package io.leasehold;

/** The way in. */
public final class Locks {
  private Locks() {}

  /**
   * Opens a client for a lock URL, such as {@code lock:redis://localhost:6379}. The provider on the
   * class path that takes the URL does the work.
   *
   * @throws LockConfigurationException when the URL, or the class path, is wrong
   * @throws LockUnavailableException when the server cannot be reached or must not be used
   */
  public static LockClient open(String url) {
    return builder().url(url).open();
  }

  /** For what a URL cannot say. */
  public static LocksBuilder builder() {
    return new LocksBuilder();
  }
}
