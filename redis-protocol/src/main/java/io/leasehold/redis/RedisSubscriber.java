package io.leasehold.redis;

/** Hears what arrives on a channel. Called from threads of the driver; must not block them. */
public interface RedisSubscriber {

  /** A message has come. */
  void message(byte[] payload);

  /** The subscription was lost, messages may have been missed, and now it is there again. */
  void restored();
}
