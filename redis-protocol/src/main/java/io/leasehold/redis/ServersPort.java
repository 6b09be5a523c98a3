package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The port on whichever servers there are. */
final class ServersPort implements RedisPort {
  private final RedisDriver driver;
  private final Servers servers;
  private final boolean clustered;

  ServersPort(RedisDriver driver, Servers servers, boolean clustered) {
    this.driver = driver;
    this.servers = servers;
    this.clustered = clustered;
  }

  /** Begins to connect, where connections are kept; does not wait. */
  void begin() {
    servers.begin();
  }

  @Override
  public boolean blocking() {
    return driver.blocking();
  }

  @Override
  public boolean clustered() {
    return clustered;
  }

  @Override
  public CompletionStage<List<?>> call(ScriptCall call) {
    return servers.send(call.routingKey(), call.command()).thenApply(ServersPort::listed);
  }

  @Override
  public CompletionStage<Replicated> callReplicated(ScriptCall call, int replicas, long millis) {
    List<RedisCommand> commands =
        List.of(call.command(), RedisCommand.of("WAIT", replicas, millis));
    return servers
        .sendTogether(call.routingKey(), commands, true)
        .thenApply(
            replies -> {
              List<?> reply = listed(replies.get(0));
              if (accepted(replies.get(1)) instanceof Long count) {
                return new Replicated(reply, count);
              }
              throw new UnreadableReplyException("the answer to WAIT is not a number");
            });
  }

  @Override
  public List<CompletionStage<List<?>>> callAll(List<ScriptCall> calls) {
    List<CompletionStage<Object>> replies =
        servers.sendAll(
            calls.stream().map(ScriptCall::routingKey).toList(),
            calls.stream().map(ScriptCall::command).toList());
    List<CompletionStage<List<?>>> listed = new ArrayList<>(calls.size());
    for (CompletionStage<Object> reply : replies) {
      listed.add(reply.thenApply(ServersPort::listed));
    }
    return listed;
  }

  @Override
  public CompletionStage<?> load(byte[] key, List<byte[]> scripts) {
    List<RedisCommand> commands =
        scripts.stream().map(script -> RedisCommand.of("SCRIPT", "LOAD", script)).toList();
    return servers
        .sendTogether(key, commands, false)
        .thenAccept(replies -> replies.forEach(ServersPort::accepted));
  }

  @Override
  public CompletionStage<String> info(byte[] key) {
    return servers
        .send(key, RedisCommand.of("INFO"))
        .thenApply(
            reply -> {
              if (accepted(reply) instanceof byte[] text) {
                return new String(text, StandardCharsets.UTF_8);
              }
              throw new UnreadableReplyException("the server's INFO is not text");
            });
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    return servers
        .listen(key, channel, subscriber)
        .exceptionallyCompose(error -> CompletableFuture.failedStage(Stages.reason(error)));
  }

  @Override
  public void close() {
    servers.close();
    driver.close();
  }

  private static List<?> listed(Object reply) {
    Object accepted = accepted(reply);
    if (accepted instanceof List<?> list) {
      return list;
    }
    List<Object> one = new ArrayList<>();
    one.add(accepted);
    return one;
  }

  private static Object accepted(Object reply) {
    if (reply instanceof RedisErrorReply error) {
      throw error;
    }
    return reply;
  }
}
