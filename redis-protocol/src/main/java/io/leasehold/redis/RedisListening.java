package io.leasehold.redis;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A connection on which a client listens to one channel. */
public interface RedisListening {

  /** Hears what happens on the connection. Called from threads of the driver; never blocks them. */
  interface Events {

    /**
     * Whether to listen also, on the same connection, to the shard's channel of the same name
     * (SSUBSCRIBE), on which a server of a cluster says what concerns its own slots only; constant.
     * Where there are no shards ({@link RedisListening#isWithoutShard}), to the one channel alone.
     */
    default boolean hearShard() {
      return false;
    }

    /** A message has come on the channel. */
    void message(byte[] payload);

    /** The connection broke, and nothing will come any more. At most once; not after close. */
    void broken();
  }

  /**
   * Whether an error to SSUBSCRIBE means only that there is nothing to hear: a server before Redis
   * 7 has no shards, and one that does not serve the slot any more says nothing about it.
   */
  static boolean isWithoutShard(RedisErrorReply error) {
    return error.code().equals("MOVED")
        || error.code().equals("CLUSTERDOWN")
        || String.valueOf(error.getMessage()).contains("unknown command");
  }

  /**
   * Asks the server for a sign of life on this very connection. Does not block, whatever the
   * driver: the stage completes with the server's answer (PING may be sent while subscribed), or
   * exceptionally when the connection is known to be broken. It need not complete in time: its user
   * watches the clock.
   *
   * @param within how long the user is going to wait
   */
  CompletionStage<?> probe(Duration within);

  /** Stops listening and closes the connection. Idempotent. Does not wait. */
  void close();
}
