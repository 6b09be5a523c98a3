package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Commands that go together to one connection, and the promise of their replies. */
final class Call {
  final List<RedisCommand> commands;

  /** Whether no other call may use the connection before all replies have come. */
  final boolean alone;

  /** Fails at the deadline of the call; nothing is sent for it afterwards. */
  final CompletableFuture<List<Object>> replies;

  /** What to do at the deadline; set when the commands are sent. */
  Runnable late = () -> {};

  Call(VertxPort port, List<RedisCommand> commands, boolean alone) {
    this.commands = commands;
    this.alone = alone;
    this.replies = port.deadlines.reply(() -> port.run(() -> late.run()));
  }
}
