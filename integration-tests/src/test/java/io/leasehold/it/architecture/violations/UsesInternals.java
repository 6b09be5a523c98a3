package io.leasehold.it.architecture.violations;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.Channel;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.impl.RedisClient;
import java.lang.reflect.Field;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.RedisInputStream;

/** One class for each kind of driver internals, and what is allowed beside them. */
public final class UsesInternals {
  private UsesInternals() {}

  /** Allowed. */
  public record PublicApi(Redis vertx, UnifiedJedis jedis, RedisCommand<?, ?, ?> command) {}

  /** Not allowed: Netty. */
  public record OfNetty(Channel channel) {}

  /** Not allowed: what is behind Lettuce's commands. */
  public record OfLettuce(CommandHandler handler) {}

  /** Not allowed: an internal package. */
  public record OfVertx(VertxInternal vertx) {}

  /** Not allowed: a cast to an implementation. */
  public static final class Cast {
    private Cast() {}

    /** Sees how the client is made. */
    public static boolean isOwn(Redis client) {
      return client instanceof RedisClient;
    }
  }

  /** Not allowed: how Jedis reads. */
  public record OfJedis(RedisInputStream stream) {}

  /** Not allowed: private members. */
  public static final class Reflection {
    private Reflection() {}

    /** Reads a private field. */
    public static Object read(Object from, String name) throws ReflectiveOperationException {
      Field field = from.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(from);
    }
  }
}
