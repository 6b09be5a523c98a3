package io.leasehold.spi;

import java.util.List;

/**
 * The lock is this owner's, until its time to live has passed since the request was sent.
 *
 * @param token the fencing token, in (0, 2⁵³); {@link #NO_TOKEN} from a node without {@link
 *     Capability#FENCING}
 * @param serverMicros the server's clock
 * @param rounds how many rounds of messages it took: 1, or more on a quorum whose clocks disagree
 * @param answers what each node of a quorum said; empty from a single server
 * @param othersWaiting how many other clients, or places of a fair line, wait for this lock as far
 *     as the node knows; so that a client hands the lock around among its own calls only for so
 *     long
 */
public record Granted(
    long token, long serverMicros, int rounds, List<NodeAnswer> answers, int othersWaiting)
    implements GrantReply, TransferReply, ServerClock {

  /** What a node without fencing tokens answers; never shown to an application. */
  public static final long NO_TOKEN = 0;

  /** A grant by a single server, for which nobody else waits. */
  public Granted(long token, long serverMicros) {
    this(token, serverMicros, 1, List.of(), 0);
  }
}
