package io.leasehold.redis;

/** Hears what arrives on a channel. Called from threads of the driver; must not block them. */
interface RedisSubscriber {

  /** A message has come. */
  void message(byte[] payload);

  /**
   * A subscription was lost, messages may have been missed, and now it is there again; or names may
   * be served by other servers now, on which nobody has subscribed yet.
   */
  void restored();
}
