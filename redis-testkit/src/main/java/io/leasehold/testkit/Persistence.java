package io.leasehold.testkit;

/** What a server writes down of what it stores, and when. */
public enum Persistence {
  /**
   * Every write, before its reply: all that was acknowledged survives a kill. See {@link
   * RedisServer} for what weakens this.
   */
  APPEND_ONLY,
  /**
   * All of it, each time that {@link RedisServer#save()} says so; nothing otherwise. A server that
   * was never told to is a cache without persistence.
   */
  ON_SAVE
}
