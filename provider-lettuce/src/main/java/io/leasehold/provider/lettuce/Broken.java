package io.leasehold.provider.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;

/** Tells when a connection breaks. */
final class Broken {

  private Broken() {}

  /** Runs an action when the connection breaks; at once if it is broken already. */
  static void tell(StatefulConnection<byte[], byte[]> connection, Runnable action) {
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            action.run();
          }
        });
    if (!connection.isOpen()) { // it broke before the listener was there
      action.run();
    }
  }
}
