package io.leasehold.spi;

import java.util.concurrent.CompletionStage;

/**
 * A capability of a node: it tells which plain locks are held. Never stops the server for more than
 * a moment: a listing is made in steps, and what changes meanwhile may or may not be in it.
 *
 * <p>Each step is bounded by the command timeout; all of them together may take longer than that,
 * the longer the more there is beside the locks. So this is the one request that does not keep to
 * the third rule of {@link LockNode}.
 */
public interface LockListing {

  /**
   * Names of locks that are held.
   *
   * @param pattern of full names: {@code *} for any text, {@code ?} for any character, {@code
   *     [a-c]} for one of these, {@code \} before a character that means itself
   * @param limit how many at most
   */
  CompletionStage<ListReply> list(String pattern, int limit);
}
