package io.leasehold.benchmarks.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;

/** Lettuce with one connection that all threads share, as its documentation recommends. */
final class BareLettuce implements BareDriver {
  private final RedisClient client;
  private final RedisCommands<String, String> commands;
  private final String sha;

  BareLettuce(int port) {
    client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    commands = client.connect().sync();
    sha = commands.scriptLoad(BareDriver.script());
  }

  @Override
  public boolean setIfAbsent(String key, String value) {
    return commands.set(key, value, SetArgs.Builder.nx().px(TTL_MILLIS)) != null;
  }

  @Override
  public boolean compareAndDelete(String key, String value) {
    Long deleted = commands.evalsha(sha, ScriptOutputType.INTEGER, new String[] {key}, value);
    return deleted == 1;
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
