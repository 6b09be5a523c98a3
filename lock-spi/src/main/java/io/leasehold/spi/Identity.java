package io.leasehold.spi;

/**
 * Who a server is.
 *
 * @param serverId identifies the running server, whatever address it is reached by; changes when it
 *     restarts
 * @param role whether it may serve locks
 * @param serverMicros the server's clock
 */
public record Identity(String serverId, Role role, long serverMicros)
    implements IdentityReply, ServerClock {

  /** The place of a server among its copies. */
  public enum Role {
    /** It takes writes. */
    PRIMARY,
    /** It copies another server, and must not be used as a lock node. */
    REPLICA
  }
}
