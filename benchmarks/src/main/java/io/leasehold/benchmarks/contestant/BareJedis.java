package io.leasehold.benchmarks.contestant;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** Jedis with its pooled client. */
final class BareJedis implements BareDriver {
  /** As many as our provider may use; Jedis' own default of 8 would starve 16 threads. */
  private static final int CONNECTIONS = 64;

  private final RedisClient jedis;
  private final String sha;

  BareJedis(int port) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    jedis = RedisClient.builder().hostAndPort("127.0.0.1", port).poolConfig(pool).build();
    sha = jedis.scriptLoad(BareDriver.script());
  }

  @Override
  public boolean setIfAbsent(String key, String value) {
    return jedis.set(key, value, SetParams.setParams().nx().px(TTL_MILLIS)) != null;
  }

  @Override
  public boolean compareAndDelete(String key, String value) {
    return Long.valueOf(1).equals(jedis.evalsha(sha, 1, key, value));
  }

  @Override
  public void close() {
    jedis.close();
  }
}
