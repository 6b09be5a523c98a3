package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSocketFactory;

/** A connection of our own, with what a command needs each time. For one thread at a time. */
final class OwnConnection extends Connection {
  private final Words words = new Words();

  /** Since when nobody uses it, by {@link System#nanoTime()}. */
  long idleSince;

  OwnConnection(JedisSocketFactory sockets) {
    super(sockets);
  }

  /** A command as Jedis sends it; to be sent before the next one is asked for. */
  static Words words(Connection connection, RedisCommand command) {
    return connection instanceof OwnConnection own && Words.isScript(command)
        ? own.words.saying(command.args())
        : new Words(command);
  }
}
