package io.leasehold.spi;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a provider gets from the client that opens it. All of it belongs to that client, is safe for
 * use by several threads, and ends with it: a provider must not shut any of it down.
 */
public interface ProviderContext {

  /** The providers that this client found; a provider made of others selects its delegates here. */
  LockProviders providers();

  /** Opens a node of a delegate, selected by the same rules as the client's own provider. */
  default LockNode openDelegate(LockUrl url) {
    return providers().open(url, this);
  }

  /**
   * A new executor for work that blocks: virtual threads where the JDK has them, otherwise a pool
   * of its own with a bounded number of threads, so that a node which hangs exhausts nobody else's.
   *
   * @param label names the threads in a dump, for example the node's host and port
   */
  Executor newBlockingExecutor(String label);

  /** For delays. Tasks run on one shared thread: they must be short and never block. */
  Scheduler scheduler();

  /** The one source of time. */
  TimeSource time();

  /** An unpredictable source of random numbers. */
  RandomGenerator random();

  /** The random id of this client; every owner id that the client makes begins with it. */
  String clientId();

  /** Who this client is, for people who look at its locks. */
  default ClientInfo client() {
    return new ClientInfo(clientId(), "", "", ProcessHandle.current().pid());
  }
}
