package io.leasehold.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One server for all keys, whichever that is by now. */
final class OneServer implements Servers {
  private final Server server;
  private final Runnable closing;

  private OneServer(Server server, Runnable closing) {
    this.server = server;
    this.closing = closing;
  }

  /** A server at a fixed address, or one that the driver finds by itself. */
  static OneServer at(Wiring wiring, ServerCheck check, Endpoint endpoint) {
    CompletionStage<Endpoint> fixed = CompletableFuture.completedStage(endpoint);
    return new OneServer(new Server(wiring, check, () -> fixed, () -> {}), () -> {});
  }

  /** The primary that sentinels name. */
  static OneServer named(Wiring wiring, ServerCheck check, Sentinels sentinels) {
    Server server = new Server(wiring, check, sentinels, sentinels::doubt);
    sentinels.tell(server::recheck);
    return new OneServer(server, sentinels::close);
  }

  @Override
  public void begin() {
    server.begin();
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return server.send(List.of(command)).thenApply(replies -> replies.get(0));
  }

  @Override
  public void send(byte[] key, RedisCommand command, ReplyHandler handler) {
    server.send(command, handler);
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    CompletionStage<List<Object>> replies = server.send(commands);
    List<CompletionStage<Object>> each = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      int index = i;
      each.add(replies.thenApply(all -> all.get(index)));
    }
    return each;
  }

  @Override
  public List<CompletionStage<List<Object>>> sendAllAlone(
      List<byte[]> keys, List<RedisCommand> commands, RedisCommand last) {
    List<RedisCommand> all = new ArrayList<>(commands);
    all.add(last);
    CompletionStage<List<Object>> replies = server.sendAlone(all);
    List<CompletionStage<List<Object>>> each = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      int index = i;
      each.add(
          replies.thenApply(both -> Arrays.asList(both.get(index), both.get(commands.size()))));
    }
    return each;
  }

  @Override
  public CompletionStage<List<Object>> sendTogether(
      byte[] key, List<RedisCommand> commands, boolean alone) {
    return alone ? server.sendAlone(commands) : server.send(commands);
  }

  @Override
  public CompletionStage<List<RedisPort.Each>> each() {
    return CompletableFuture.completedStage(
        List.of(command -> server.send(List.of(command)).thenApply(replies -> replies.get(0))));
  }

  @Override
  public CompletionStage<?> listen(byte[] key, byte[] channel, RedisSubscriber subscriber) {
    return server.listen(channel, subscriber);
  }

  @Override
  public void unlisten(RedisSubscriber subscriber) {
    server.unlisten(subscriber);
  }

  @Override
  public void close() {
    server.close();
    closing.run();
  }
}
