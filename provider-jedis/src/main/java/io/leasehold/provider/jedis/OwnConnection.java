package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.util.RedisInputStream;

/** A connection of our own, with what a command needs each time. For one thread at a time. */
final class OwnConnection extends Connection {
  private final Words words = new Words();
  private @Nullable RedisInputStream replies; // as Jedis reads them

  /** The socket, once it is connected. */
  @Nullable Socket socket;

  /** Since when nobody uses it, by {@link System#nanoTime()}. */
  long idleSince;

  OwnConnection(JedisSocketFactory sockets) {
    super(sockets);
  }

  @Override
  protected Object protocolRead(RedisInputStream in, PushConsumerChain consumers) {
    replies = in;
    return super.protocolRead(in, consumers);
  }

  /** Whether nothing came that nobody asked for: it would pass for the next reply. */
  boolean isQuiet() {
    try {
      return replies == null || replies.available() == 0;
    } catch (IOException e) { // it was closed meanwhile
      return false;
    }
  }

  /** A command as Jedis sends it; to be sent before the next one is asked for. */
  static Words words(Connection connection, RedisCommand command) {
    return connection instanceof OwnConnection own && Words.isScript(command)
        ? own.words.saying(command.args())
        : new Words(command);
  }
}
