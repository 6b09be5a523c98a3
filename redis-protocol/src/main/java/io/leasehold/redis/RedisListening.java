package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a client listens to one channel. A subscription counts when the server has
 * confirmed it, and nothing else that it may say is a confirmation. From then on nothing comes but
 * messages, and answers to what was asked: a connection on which anything else comes is broken, for
 * nobody knows what its server thinks of the subscription.
 */
public interface RedisListening {

  /** What a server says on such a connection, told by its first word. */
  enum Word {
    MESSAGE,
    CONFIRMED,
    /** The answer to a PING. */
    PONG,
    /** The shard has moved away; nobody has asked. */
    LEFT,
    NONSENSE;

    /** The longest that has a meaning. */
    static final int LONGEST = 12;

    /** Of a reply as of {@link RedisChannel#send}. */
    static Word of(@Nullable Object reply) {
      if (reply instanceof List<?> said
          && said.size() >= 2
          && said.get(0) instanceof byte[] first) {
        Word word = named(new String(first, StandardCharsets.ISO_8859_1));
        boolean lacking = word == MESSAGE && !(said.get(said.size() - 1) instanceof byte[]);
        return lacking || said.size() != (word == PONG ? 2 : 3) ? NONSENSE : word;
      }
      boolean pong = // of RESP3, which an application's client may speak
          reply instanceof byte[] status
              && new String(status, StandardCharsets.ISO_8859_1).equals("PONG");
      return pong ? PONG : NONSENSE;
    }

    static Word named(String text) {
      return switch (text) {
        case "message", "smessage" -> MESSAGE;
        case "subscribe", "ssubscribe" -> CONFIRMED;
        case "pong" -> PONG;
        case "sunsubscribe" -> LEFT;
        default -> NONSENSE;
      };
    }

    /** Whether it comes without having been asked for. */
    boolean isUnasked() {
      return this == MESSAGE || this == LEFT;
    }
  }

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
