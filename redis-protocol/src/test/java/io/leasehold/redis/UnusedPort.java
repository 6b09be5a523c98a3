package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A port of which a test uses only what it overrides. */
abstract class UnusedPort implements DriverPort {
  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
