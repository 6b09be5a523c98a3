package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What the lock protocol needs of a Redis driver: an adapter of one driver implements it, and
 * nothing else in a provider speaks to the driver.
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
 *       answer, and with nothing else. No method throws.
 *   <li><b>No second thoughts.</b> A command is sent once. A port does not repeat it after a
 *       reconnection, does not keep it while there is no connection, and does not replace EVALSHA
 *       by EVAL: the protocol decides what a failure means.
 *   <li><b>Recovery.</b> A broken connection, and one on which nothing is answered any more, is
 *       made anew in the background, for as long as the port is open.
 *   <li><b>Replies</b> of scripts are lists, as deep as the script made them, of {@link Long}s,
 *       {@code byte[]}s, lists and nulls. A reply that is not an array is a list of one.
 *   <li><b>Closed.</b> After {@link #close()} every stage, pending ones included, completes with a
 *       {@link RedisConnectionFailure} of kind CLOSED.
 * </ul>
 */
public interface RedisPort extends AutoCloseable {

  /** Whether the methods of this port do their work on the calling thread; constant. */
  boolean blocking();

  /** Sends EVALSHA to the server that serves the call's first key. */
  CompletionStage<List<?>> call(ScriptCall call);

  /**
   * Sends several calls without waiting for one reply before sending the next. The stages are in
   * the order of the calls, and succeed and fail one by one.
   */
  default List<CompletionStage<List<?>>> callAll(List<ScriptCall> calls) {
    return calls.stream().map(this::call).toList();
  }

  /** Sends SCRIPT LOAD, once for each script, to the server that serves a key, and to no other. */
  CompletionStage<?> load(byte[] key, List<byte[]> scripts);

  /** Sends INFO, for the default sections, to the server that serves a key. */
  CompletionStage<String> info(byte[] key);

  /**
   * Subscribes to a channel on the server that serves a key, for as long as the port is open. The
   * stage completes when the server has confirmed it. When the subscription breaks later the port
   * subscribes again by itself, and says so: {@link RedisSubscriber#restored()}. A subscription
   * that fails leaves nothing behind.
   */
  CompletionStage<?> subscribe(byte[] key, byte[] channel, RedisSubscriber subscriber);

  /**
   * Ends the port. Idempotent; blocks for a bounded time; leaves no thread or connection behind.
   */
  @Override
  void close();
}
