package io.leasehold.redis;

/** A reply has not the shape that it must have. Its content is not repeated: it may be anything. */
final class UnreadableReplyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableReplyException(String what) {
    super(what, null, false, false);
  }
}
