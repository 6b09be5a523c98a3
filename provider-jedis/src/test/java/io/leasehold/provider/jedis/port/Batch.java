package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Several commands for one server. All servers have theirs before the first reply is read. */
final class Batch {
  private final Router router;
  private final CompletableFuture<Object> call;
  private final Node node;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<RedisCommand> commands = new ArrayList<>();
  private final List<CompletableFuture<Object>> stages = new ArrayList<>();
  private @Nullable Exchange exchange;

  private Batch(Router router, CompletableFuture<Object> call, Node node) {
    this.router = router;
    this.call = call;
    this.node = node;
  }

  static List<CompletionStage<Object>> send(
      Router router,
      CompletableFuture<Object> call,
      List<byte[]> keys,
      List<RedisCommand> commands) {
    List<CompletionStage<Object>> stages = new ArrayList<>(keys.size());
    Map<Object, Batch> batches = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      CompletableFuture<Object> stage = new CompletableFuture<>();
      stages.add(stage);
      try {
        Node node = router.owner(call, keys.get(i));
        Batch batch = batches.computeIfAbsent(node.id(), id -> new Batch(router, call, node));
        batch.keys.add(keys.get(i));
        batch.commands.add(commands.get(i));
        batch.stages.add(stage);
      } catch (RuntimeException e) {
        stage.completeExceptionally(e);
      }
    }
    batches.values().forEach(Batch::send);
    batches.values().forEach(Batch::receive);
    return stages;
  }

  private void send() {
    try {
      exchange = router.begin(call, node, keys.get(0), commands, false);
    } catch (RuntimeException e) {
      stages.forEach(stage -> stage.completeExceptionally(e));
    }
  }

  private void receive() {
    if (exchange == null) {
      return;
    }
    List<Object> replies = exchange.replies;
    try {
      router.read(exchange, node, keys.get(0));
    } catch (RuntimeException e) { // those that came count all the same
      stages.subList(replies.size(), stages.size()).forEach(s -> s.completeExceptionally(e));
    }
    for (int i = 0; i < replies.size(); i++) {
      try {
        List<RedisCommand> one = commands.subList(i, i + 1);
        Object reply = router.follow(call, keys.get(i), one, replies.subList(i, i + 1)).get(0);
        stages.get(i).complete(reply);
      } catch (RuntimeException e) {
        stages.get(i).completeExceptionally(e);
      }
    }
  }
}
