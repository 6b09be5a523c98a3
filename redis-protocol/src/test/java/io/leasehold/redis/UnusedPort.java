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
  public void call(ScriptCall call, ReplyHandler handler) {
    call(call)
        .whenComplete(
            (reply, error) -> {
              if (error == null) {
                handler.replied(reply);
              } else if (Stages.unwrap(error) instanceof RedisErrorReply refused) {
                handler.replied(refused);
              } else {
                handler.failed(Stages.reason(error));
              }
            });
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
  public void unsubscribe(RedisSubscriber subscriber) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<Each>> each() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
