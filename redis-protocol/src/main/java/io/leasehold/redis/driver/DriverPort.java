package io.leasehold.redis.driver;

import io.leasehold.redis.RedisCommand;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The servers that keep locks, reached by a driver's own client. The driver finds the server that
 * owns a key, manages connections, reconnects, logs in and encrypts. A port sends commands on the
 * driver's connections, and reports what came back.
 *
 * <ul>
 *   <li><b>Threads.</b> Every method may be called by any thread at any time.
 *   <li><b>Blocking.</b> A port that {@linkplain #blocking() blocks} does its work on the calling
 *       thread and returns completed stages. A port that does not block returns at once and
 *       completes its stages on threads of the driver.
 *   <li><b>Bounded time.</b> Every stage completes within the command timeout, or a moment later. A
 *       first connection may take the connect timeout.
 *   <li><b>Replies</b> are {@link Long}s, {@code byte[]}s (also for status replies), lists of
 *       these, and nulls. An error reply is an {@link io.leasehold.redis.RedisErrorReply} in the
 *       place of the reply, also inside a list.
 *   <li><b>Failures.</b> A stage completes exceptionally with a {@link
 *       io.leasehold.redis.RedisConnectionFailure} when there is no reply, with a {@link
 *       io.leasehold.redis.RedisErrorReply} when the server refused the connection (a wrong
 *       password, for example), and with nothing else. No method throws. No message contains a
 *       secret.
 *   <li><b>Redirections.</b> MOVED and ASK are followed. Any other error is returned as it is;
 *       EVALSHA does not become EVAL.
 *   <li><b>Repetition.</b> A port with connections of its own sends a command once, unless the
 *       server said that it did nothing with it. A client that an application handed in may be
 *       configured to repeat commands after a reconnection.
 *   <li><b>Recovery.</b> Broken connections are replaced, and so is a connection on which nothing
 *       was answered for a whole command timeout. A port that was opened while no server was
 *       reachable works as soon as one is.
 *   <li><b>Closed.</b> After {@link #close()} every stage, pending ones included, completes with a
 *       failure of kind CLOSED.
 * </ul>
 */
public interface DriverPort extends AutoCloseable {

  /** Whether the methods do their work on the calling thread; constant. */
  boolean blocking();

  /** Sends a command to the server that owns the key. */
  CompletionStage<Object> send(byte[] key, RedisCommand command);

  /**
   * Sends commands in this order on one connection that no other call uses until all replies have
   * come: the last command may be WAIT, which holds up everything behind it. The replies are in the
   * order of the commands.
   */
  CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands);

  /**
   * Sends several commands, each to the server that owns its key, without waiting for one reply
   * before sending the next to the same server. The stages are in the order of the commands.
   *
   * @param keys as many as commands
   */
  List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands);

  /** All primaries, as of now. */
  CompletionStage<List<Primary>> primaries();

  /**
   * Subscribes to a channel on the server that owns the key. The stage completes when the server
   * has confirmed it; a second call for the same server and subscriber joins the first. Each
   * subscriber has one channel. A port may drop a subscription when its connection breaks or falls
   * silent, or when the topology changes; it then calls {@link Subscriber#interrupted()}, and the
   * subscriber subscribes again.
   */
  CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber);

  /**
   * Ends the subscriptions of a subscriber on all servers. Does not wait. A message that is under
   * way may still arrive.
   */
  void unsubscribe(Subscriber subscriber);

  /**
   * Closes all connections that the port made, and the driver's client unless the application
   * handed it in. Idempotent; blocks for a bounded time; leaves no thread or connection behind.
   */
  @Override
  void close();

  /** One primary. */
  interface Primary {

    /** Host and port, as far as the driver knows them; for messages. */
    String address();

    /** Sends a command that has no key. */
    CompletionStage<Object> send(RedisCommand command);
  }

  /** Receives messages. Called on threads of the driver, which it must not block. */
  interface Subscriber {

    /** Whether to subscribe to the shard channel of the same name, too; constant. */
    default boolean sharded() {
      return false;
    }

    /** A message has arrived. */
    void message(byte[] payload);

    /**
     * Messages may have been missed, or keys may have another owner now: a connection was lost, or
     * the driver has seen that the topology changed. The subscriber subscribes again for the keys
     * that it is interested in, and tries again while that fails.
     */
    void interrupted();
  }
}
