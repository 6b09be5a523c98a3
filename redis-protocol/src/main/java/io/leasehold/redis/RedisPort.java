package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The servers that keep locks, as the lock protocol sees them: each operation goes to the server
 * that serves a key, wherever that is by now.
 *
 * <h2>Contract</h2>
 *
 * <ul>
 *   <li><b>Threads.</b> Every method may be called by any thread at any time.
 *   <li><b>Blocking.</b> A port that {@linkplain #blocking() blocks} does its work on the calling
 *       thread and returns completed stages. One that does not never blocks, and completes its
 *       stages from threads of the driver.
 *   <li><b>Bounded time.</b> Every stage completes within the command timeout, or a moment later.
 *   <li><b>Errors.</b> A stage completes exceptionally with a {@link RedisErrorReply} when the
 *       server answered with an error, with a {@link RedisConnectionFailure} when it did not
 *       answer, with a {@link ServerRefused} when it must not be used, and with nothing else. No
 *       method throws.
 *   <li><b>No second thoughts.</b> A command is carried out once: it is sent again only where the
 *       server said that it did nothing (MOVED, ASK).
 *   <li><b>Recovery.</b> A broken connection, and one on which nothing is answered any more, is
 *       made anew, and the server looked for again, for as long as the port is open.
 *   <li><b>Replies</b> of scripts are lists, as deep as the script made them, of {@link Long}s,
 *       {@code byte[]}s, lists and nulls. A reply that is not an array is a list of one.
 *   <li><b>Closed.</b> After {@link #close()} every stage, pending ones included, completes with a
 *       {@link RedisConnectionFailure} of kind CLOSED.
 * </ul>
 */
interface RedisPort extends AutoCloseable {

  /** Whether the methods of this port do their work on the calling thread; constant. */
  boolean blocking();

  /** Whether keys of different slots may be kept by different servers; constant. */
  boolean clustered();

  /** Sends EVALSHA to the server that serves the call's first key. */
  CompletionStage<List<?>> call(ScriptCall call);

  /** As {@link #call(ScriptCall)}, with as little as it can; the reply is as the server sent it. */
  void call(ScriptCall call, ReplyHandler handler);

  /**
   * Sends EVALSHA, and WAIT on the same connection.
   *
   * @param replicas how many replicas to wait for
   * @param millis how long
   */
  CompletionStage<Replicated> callReplicated(ScriptCall call, int replicas, long millis);

  /**
   * Sends several calls without waiting for one reply before sending the next, as far as they go to
   * one server. The stages are in the order of the calls, and succeed and fail one by one.
   */
  List<CompletionStage<List<?>>> callAll(List<ScriptCall> calls);

  /**
   * As {@link #callAll}, with one WAIT behind the calls of each server, on the same connection.
   *
   * @param replicas how many replicas to wait for
   * @param millis how long
   */
  List<CompletionStage<Replicated>> callAllReplicated(
      List<ScriptCall> calls, int replicas, long millis);

  /** Sends SCRIPT LOAD, once for each script, to the server that serves a key, and to no other. */
  CompletionStage<?> load(byte[] key, List<byte[]> scripts);

  /** Sends INFO, for the default sections, to the server that serves a key. */
  CompletionStage<String> info(byte[] key);

  /** Sends a command to the server that serves a key; the reply is as the server sent it. */
  CompletionStage<Object> send(byte[] key, RedisCommand command);

  /**
   * As {@link #send}, several at once. What goes to one server goes together. The stages are in the
   * order of the keys.
   */
  List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands);

  /** All servers that keep locks, as of now. */
  CompletionStage<List<Each>> each();

  /**
   * Subscribes to a channel on the server that serves a key, for as long as the port is open and
   * uses that server, or until {@link #unsubscribe}. A subscriber has one channel, and on each
   * server a connection of its own: a second call for the same server joins the first. The stage
   * completes when the server has confirmed it. When the subscription breaks later the port
   * subscribes again by itself, and says so: {@link RedisSubscriber#restored()}. A subscription
   * that fails leaves no connection behind.
   */
  CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber);

  /**
   * Ends what a subscriber listens to, on every server. It is not told any more when names move.
   * Does not wait: a message that is under way may still arrive. A subscription that is begun at
   * the same time may outlive this: whoever does both asks again once it is confirmed.
   */
  void unsubscribe(RedisSubscriber subscriber);

  /**
   * Ends the port. Idempotent; blocks for a bounded time; leaves no thread or connection behind.
   */
  @Override
  void close();

  /** One server. */
  interface Each {

    /** Sends it a command that is about no key; the reply is as the server sent it. */
    CompletionStage<Object> send(RedisCommand command);
  }

  /**
   * What a script answered, and how many replicas have what it wrote.
   *
   * @param reply the script's reply
   * @param replicas how many
   */
  record Replicated(List<?> reply, long replicas) {}
}
