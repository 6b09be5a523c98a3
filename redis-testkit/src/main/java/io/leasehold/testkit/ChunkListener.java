package io.leasehold.testkit;

/**
 * Lets a test act at the moment when something passes a proxy, e.g. interrupt the client while its
 * reply is under way.
 *
 * <p>Called after the chunk was read and before it is passed on, on the thread that reads this
 * direction of this connection: the chunk waits for as long as the listener takes, other
 * connections do not. Faults that the listener switches on apply to the chunk already. An exception
 * ends the connection with a reset.
 */
@FunctionalInterface
public interface ChunkListener {

  /** Listens to nothing. */
  ChunkListener NONE = chunk -> {};

  void passes(Chunk chunk);
}
