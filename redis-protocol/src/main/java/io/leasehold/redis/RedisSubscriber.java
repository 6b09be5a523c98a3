package io.leasehold.redis;

/** Hears what arrives on a channel. Called from threads of the driver; must not block them. */
interface RedisSubscriber {

  /** Whether messages may also come on the shard's channel of the same name; constant. */
  default boolean hearsShard() {
    return false;
  }

  /** A message has come. */
  void message(byte[] payload);

  /**
   * A subscription was lost, messages may have been missed, and now it is there again; or names may
   * be served by other servers now, on which nobody has subscribed yet.
   */
  void restored();
}
