package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A port of which a test uses only what it overrides. */
abstract class UnusedPort implements RedisPort {
  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public boolean clustered() {
    return false;
  }

  @Override
  public CompletionStage<List<?>> call(ScriptCall call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Replicated> callReplicated(ScriptCall call, int replicas, long millis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletionStage<List<?>>> callAll(List<ScriptCall> calls) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletionStage<Replicated>> callAllReplicated(
      List<ScriptCall> calls, int replicas, long millis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<?> load(byte[] key, List<byte[]> scripts) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<String> info(byte[] key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
