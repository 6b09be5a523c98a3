package io.leasehold.testkit;

/** One of the two ways through a proxy. */
public enum Direction {
  /** Requests: from the client to the server. */
  TO_SERVER,
  /** Replies: from the server to the client. */
  TO_CLIENT
}
