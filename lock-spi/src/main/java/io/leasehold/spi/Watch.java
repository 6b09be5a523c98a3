package io.leasehold.spi;

/** A registration for wake-ups. */
public interface Watch extends AutoCloseable {

  /**
   * Ends the registration. Idempotent, never blocks. A wake-up that was under way for this client
   * is passed on to the next waiter.
   */
  @Override
  void close();
}
