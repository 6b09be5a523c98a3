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
    return servers.send(call.routingKey(), call).thenApply(ServersPort::listed);
  }

  @Override
  public void call(ScriptCall call, ReplyHandler handler) {
    servers.send(call.routingKey(), call, handler);
  }

  @Override
  public CompletionStage<Replicated> callReplicated(ScriptCall call, int replicas, long millis) {
    List<RedisCommand> commands = List.of(call, RedisCommand.of("WAIT", replicas, millis));
    return servers
        .sendTogether(call.routingKey(), commands, true)
        .thenApply(ServersPort::replicated);
  }

  @Override
  public List<CompletionStage<Replicated>> callAllReplicated(
      List<ScriptCall> calls, int replicas, long millis) {
    List<CompletionStage<Replicated>> all = new ArrayList<>(calls.size());
    for (CompletionStage<List<Object>> both :
        servers.sendAllAlone(
            calls.stream().map(ScriptCall::routingKey).toList(),
            List.copyOf(calls),
            RedisCommand.of("WAIT", replicas, millis))) {
      all.add(both.thenApply(ServersPort::replicated));
    }
    return all;
  }

  @Override
  public List<CompletionStage<List<?>>> callAll(List<ScriptCall> calls) {
    List<CompletionStage<Object>> replies =
        servers.sendAll(calls.stream().map(ScriptCall::routingKey).toList(), List.copyOf(calls));
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
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return servers.send(key, command).thenApply(ServersPort::accepted);
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> all = new ArrayList<>(commands.size());
    for (CompletionStage<Object> reply : servers.sendAll(keys, commands)) {
      all.add(reply.thenApply(ServersPort::accepted));
    }
    return all;
  }

  @Override
  public CompletionStage<List<Each>> each() {
    return servers
        .each()
        .thenApply(
            all ->
                all.stream()
                    .map(
                        one -> (Each) command -> one.send(command).thenApply(ServersPort::accepted))
                    .toList());
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    return servers
        .listen(key, channel, subscriber)
        .exceptionallyCompose(error -> CompletableFuture.failedStage(Stages.reason(error)));
  }

  @Override
  public void unsubscribe(RedisSubscriber subscriber) {
    servers.unlisten(subscriber);
  }

  @Override
  public void close() {
    servers.close();
    driver.close();
  }

  /** The script's reply and that of WAIT. What the script did is done, whatever WAIT says. */
  private static Replicated replicated(List<Object> replies) {
    List<?> reply = listed(replies.get(0));
    if (replies.get(1) instanceof Long count) {
      return new Replicated(reply, count);
    }
    throw new UnreadableReplyException(
        replies.get(1) instanceof RedisErrorReply error
            ? "the server answered to WAIT: " + error.getMessage()
            : "the answer to WAIT is not a number");
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
