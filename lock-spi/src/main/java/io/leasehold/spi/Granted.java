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
 * @param lowest the lowest of the tokens that are this grant's alone: a fence that was lifted from
 *     one number to the next gives those between to nobody else, ever. A client may use all from
 *     here to {@code token}, in this order, for as many leases that follow each other under this
 *     grant. {@code token} itself, if the node does not know of more
 */
public record Granted(
    long token,
    long serverMicros,
    int rounds,
    List<NodeAnswer> answers,
    int othersWaiting,
    long lowest)
    implements GrantReply, TransferReply, ServerClock {

  /** What a node without fencing tokens answers; never shown to an application. */
  public static final long NO_TOKEN = 0;

  /**
   * As told above.
   *
   * @throws IllegalArgumentException if the lowest token is not a token, or not the lowest
   */
  public Granted {
    if (lowest != token && (lowest <= 0 || lowest > token)) {
      throw new IllegalArgumentException("tokens from " + lowest + " to " + token);
    }
  }

  /** A grant of one token. */
  public Granted(
      long token, long serverMicros, int rounds, List<NodeAnswer> answers, int othersWaiting) {
    this(token, serverMicros, rounds, answers, othersWaiting, token);
  }

  /** A grant by a single server, for which nobody else waits. */
  public Granted(long token, long serverMicros) {
    this(token, serverMicros, 1, List.of(), 0);
  }
}
