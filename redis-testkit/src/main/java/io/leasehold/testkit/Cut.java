package io.leasehold.testkit;

/** How a proxy ends a connection. */
public enum Cut {
  /**
   * With a reset, as if the peer's machine had lost the connection: reading and writing fail at
   * once.
   */
  RST,
  /**
   * With an orderly end, as if the peer's process had exited: what was passed on arrives, then
   * comes the end of the stream. (If the peer had sent data that nobody read, the kernel adds a
   * reset, as it does for every process.)
   */
  FIN
}
