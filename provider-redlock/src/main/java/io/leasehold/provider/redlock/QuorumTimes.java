package io.leasehold.provider.redlock;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;

/**
 * How long a quorum waits.
 *
 * @param nodeNanos for one member, in one round
 * @param requestNanos for a whole request, over all of its rounds
 * @param connectNanos for the members, when the quorum is opened
 * @param longestLeaseNanos after which nothing that was granted can be alive
 */
record QuorumTimes(long nodeNanos, long requestNanos, long connectNanos, long longestLeaseNanos) {

  /** Two rounds fit into a request, and some time is left. */
  private static final double SHARE_OF_REQUEST = 0.4;

  static QuorumTimes of(LockUrl url) {
    Duration request = url.get(Options.COMMAND_TIMEOUT);
    Duration node =
        url.given(Options.NODE_TIMEOUT)
            .orElse(Duration.ofNanos((long) (request.toNanos() * SHARE_OF_REQUEST)));
    if (node.compareTo(request) > 0) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          Options.NODE_TIMEOUT.name(),
          "nodeTimeout is the time for one node, and must not be longer than commandTimeout ("
              + request.toMillis()
              + " ms), the time for all");
    }
    return new QuorumTimes(
        node.toNanos(),
        request.toNanos(),
        url.get(Options.CONNECT_TIMEOUT).toNanos(),
        url.get(Options.MAX_LEASE).toNanos());
  }
}
