package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.IdentityReply;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The servers of a node, and what talks to them.
 *
 * @param port sends commands
 * @param checks whether the servers may keep locks
 * @param scripts runs scripts
 * @param background where the port may be called from threads that must not block
 * @param clustered whether keys of different slots may be kept by different servers
 */
record Servers(
    DriverPort port,
    ServerChecks checks,
    ScriptRunner scripts,
    Executor background,
    boolean clustered) {

  /** Who one of the servers is. */
  CompletionStage<IdentityReply> identity() {
    return port.send(NodeOpening.ANY_KEY, RedisCommand.of("INFO"))
        .<IdentityReply>thenApply(reply -> ServerInfo.parse(Stages.text(reply)).identity())
        .exceptionally(Failures::of);
  }

  /** Closes the port. */
  void close() {
    checks.close();
    port.close();
  }
}
