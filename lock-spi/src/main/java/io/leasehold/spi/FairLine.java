package io.leasehold.spi;

import java.util.concurrent.CompletionStage;

/**
 * The line for a fair lock, offered by a node with {@link Capability#FAIRNESS}.
 *
 * <p>A place is taken by asking with {@link Queueing#FAIR} while the lock is busy, and ends with a
 * grant or with {@link #leave}. Places have the order in which the server saw them first, across
 * clients. When the lock becomes free, the first place whose client can be reached has its turn:
 * the client is woken, and only it is granted the lock, for one of its places: which of its calls
 * takes the turn is the client's business, and the place that is used up is the one whose turn it
 * was. Whoever lets its turn pass loses its place, and the next has its turn: a waiter that hangs
 * delays the others by {@link #TURN_MILLIS} or a little more, and one whose connection is gone by
 * nothing.
 *
 * <p>Clients that do not ask with {@link Queueing#FAIR} do not see the line, and may come before
 * it.
 */
public interface FairLine {

  /** How long a turn lasts, on the server's clock, before it passes to the next. */
  long TURN_MILLIS = 1_000;

  /**
   * Gives a place up. If it was its turn, the next has it now. Idempotent; a place that never was
   * is left, too.
   */
  CompletionStage<LeaveReply> leave(String name, String place);
}
