package io.leasehold.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A way to one server: a connection that its users share, or, with a driver that blocks, a pool of
 * connections.
 *
 * <ul>
 *   <li><b>Threads.</b> Every method may be called by any thread at any time.
 *   <li><b>Order.</b> The commands of one {@link #send} go over one connection, in their order,
 *       with no other command between them, and all of them before the first reply is waited for.
 *   <li><b>No second thoughts.</b> A command is sent once. It is not repeated after a reconnection,
 *       not kept while there is no connection, not sent elsewhere when the server says MOVED or
 *       ASK, and EVALSHA does not become EVAL.
 *   <li><b>Time.</b> A channel that blocks gives up after the time it was given, as {@code
 *       TIMEOUT}, and does not use that connection again. One that does not block need not watch
 *       the clock: its user does.
 *   <li><b>Replies</b> are {@link Long}s, {@code byte[]}s (for simple strings, too), lists of these
 *       and nulls. An error reply is a {@link RedisErrorReply} in its place.
 *   <li><b>Failures.</b> The stage completes exceptionally with a {@link RedisConnectionFailure}
 *       when a reply will not come, and with nothing else; the kind says how far it got. A channel
 *       that connects as it needs to fails as {@link RedisDriver#open} does where it cannot
 *       connect: with a {@link RedisErrorReply} when the server refuses the connection. After its
 *       close, or that of its driver, a channel fails as CLOSED. No method throws.
 * </ul>
 */
public interface RedisChannel {

  /**
   * Sends commands, and completes with their replies, in the order of the commands.
   *
   * @param within how long the replies may take
   */
  CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within);

  /**
   * Sends one command. This is what every lock call does, so a driver should do it with as little
   * as it can; by default it goes the way of many.
   *
   * @param within how long the reply may take
   */
  default void send(RedisCommand command, Duration within, ReplyHandler handler) {
    Stages.pass(send(List.of(command), within), handler);
  }

  /**
   * Closes the channel: what is under way fails. Idempotent. Does not wait, and does not report
   * itself as broken.
   */
  void close();
}
