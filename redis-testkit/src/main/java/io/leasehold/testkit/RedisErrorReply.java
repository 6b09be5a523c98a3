package io.leasehold.testkit;

/**
 * An error that a server replied with. The message is the server's text, e.g. {@code WRONGTYPE
 * Operation …}.
 */
public final class RedisErrorReply extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RedisErrorReply(String text) {
    super(text);
  }
}
