package io.leasehold.redis;

import java.util.concurrent.CompletionStage;

/**
 * What the lock protocol needs of a Redis driver: connections. An adapter of one driver implements
 * this, {@link RedisChannel} and {@link RedisListening}, and nothing else in a provider speaks to
 * the driver. Which server is asked, when a connection is made anew, and what a failure means is
 * decided once, here, for all drivers.
 *
 * <ul>
 *   <li><b>Threads.</b> Every method may be called by any thread at any time.
 *   <li><b>Blocking.</b> A driver that {@linkplain #blocking() blocks} does its work on the calling
 *       thread and returns completed stages. One that does not never blocks, and completes its
 *       stages from threads of the driver. Both kinds of stage take dependent actions of every
 *       {@link CompletionStage} method.
 *   <li><b>Bounded time.</b> Connecting, with all greetings, takes no longer than the connect
 *       timeout of its {@link ConnectionSettings}.
 *   <li><b>Failures.</b> A stage completes exceptionally with a {@link RedisErrorReply} when the
 *       server refused the connection with an error (a wrong password, say), with a {@link
 *       RedisConnectionFailure} of kind UNREACHABLE when it could not be reached, of kind CLOSED
 *       after {@link #close()}, and with nothing else; what fails leaves nothing open. No method
 *       throws. No message carries a secret.
 * </ul>
 */
public interface RedisDriver extends AutoCloseable {

  /** Whether the methods do their work on the calling thread; constant. */
  boolean blocking();

  /**
   * Opens a channel. A driver that blocks may put off connecting until the first command.
   *
   * @param broken called once, from any thread, when the channel will be of no use any more; not
   *     after its close. A channel that makes its connections as it needs them never breaks.
   */
  CompletionStage<? extends RedisChannel> open(Endpoint server, Runnable broken);

  /**
   * Opens a connection and subscribes to a channel. The stage completes when the server has
   * confirmed it; messages may come before.
   */
  CompletionStage<? extends RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events);

  /**
   * Ends the driver and all its channels; what is under way fails as CLOSED. Idempotent; blocks for
   * a bounded time, in spite of interruption, and keeps the flag; leaves no thread or connection
   * behind. What the application handed in stays open.
   */
  @Override
  void close();
}
