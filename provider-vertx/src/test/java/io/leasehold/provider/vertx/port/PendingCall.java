package io.leasehold.provider.vertx.port;

import io.leasehold.redis.RedisCommand;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Commands that go together to one connection, and the promise of their replies.
 *
 * @param alone whether no other call may use the connection before all replies have come
 * @param result fails at the deadline of the call; nothing is sent for it afterwards
 */
record PendingCall(
    List<RedisCommand> commands, boolean alone, CompletableFuture<List<Object>> result) {

  void completeWith(Future<List<Object>> replies) {
    replies.onSuccess(result::complete).onFailure(result::completeExceptionally);
  }
}
