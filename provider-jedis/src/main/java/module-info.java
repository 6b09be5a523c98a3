/** Locks on Redis with the Jedis driver. */
module io.leasehold.provider.jedis {
  requires transitive io.leasehold.redis;
  // Jedis is an automatic module: what it needs must be named here to be resolved.
  requires com.google.gson;
  requires transitive org.apache.commons.pool2;
  requires org.slf4j;
  requires transitive redis.clients.jedis;
  requires static org.jspecify;

  exports io.leasehold.provider.jedis;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.jedis.JedisLockProvider;
}
