package io.leasehold.spi;

import java.util.List;

/**
 * Several plain locks at once, offered by a node with {@link Capability#SEVERAL}: all or none.
 *
 * <p>{@link OrderedLocks} does it for any node, in a round trip for each lock.
 */
public interface SeveralLocks {

  /** The most locks at once. */
  int MOST_LOCKS = 64;

  /**
   * A view of the node, with all the rules of {@link LockNode}, in which one request is about all
   * of these locks; the names in requests to the view say nothing. The locks are the same as those
   * that are asked for one by one.
   *
   * <ul>
   *   <li>Granted: all of them are the owner's, with one token that is larger than every earlier
   *       one of each, and smaller than every later one.
   *   <li>Busy, Guarded, Expired, Failed: none of them is (or, if a failure is ambiguous, may be).
   *       Nothing is kept while others wait, so that sets which overlap cannot lock each other out.
   *       Who asks with {@link Queueing#WAKE} is entered with the lock that was busy, and what it
   *       was woken for in vain is passed on.
   *   <li>An extension or a release of which some part was not held is {@link NotHeld}; those that
   *       were held are extended, or released, all the same.
   * </ul>
   *
   * It declares what the node does of {@link Capability#FENCING}, {@link Capability#WAKE_UPS} and
   * {@link Capability#GUARD}, and nothing else unless it serves it. Views are cheap to make, and
   * end with the node.
   *
   * @param names full names, each once, in any order; at least one, at most {@link #MOST_LOCKS}
   */
  LockNode all(List<String> names);
}
