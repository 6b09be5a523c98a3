package io.leasehold.redis;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of one command. One of the two is called, once, on any thread; neither blocks nor
 * throws.
 */
public interface ReplyHandler {

  /** The server answered, perhaps with a {@link RedisErrorReply}. */
  void replied(@Nullable Object reply);

  /** No answer will come. See {@link RedisChannel} for what it may be. */
  void failed(RuntimeException why);
}
