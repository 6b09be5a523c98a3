package io.leasehold.benchmarks.contestant;

/** A connected client of one contestant. Thread-safe; closing it ends all that it started. */
public interface Client extends AutoCloseable {

  /** A lock by its name; sends nothing. */
  Handle lock(String name);

  @Override
  void close();

  /** One lock of a client, used by any thread. */
  interface Handle {

    /**
     * Waits for the lock.
     *
     * @return what {@link #release} wants to see again
     */
    Object acquire() throws Exception;

    /** Gives the lock back, on the thread that acquired it. */
    void release(Object held) throws Exception;
  }
}
