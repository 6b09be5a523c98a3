package io.leasehold.provider.redlock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The search for a token that a quorum of fences has accepted for one attempt. Told in {@link
 * Election}. Knows members by their number, has no clock and sends nothing. Not thread-safe.
 */
final class Tokens {
  /** There is none, or a member has not granted. */
  static final long NONE = -1;

  private final int quorum;
  private final long[] accepted; // the highest number that a member's fence took from this attempt
  private final long[] refused; // the lowest number that it did not want to be raised to
  private final boolean[] raising;
  private long target = NONE;
  private int rounds = 1;

  Tokens(int members, int quorum) {
    this.quorum = quorum;
    this.accepted = new long[members];
    this.refused = new long[members];
    this.raising = new boolean[members];
    Arrays.fill(accepted, NONE);
    Arrays.fill(refused, Long.MAX_VALUE);
  }

  /** A member has granted, and its fence is at this number. */
  void granted(int member, long number) {
    accepted[member] = Math.max(accepted[member], number);
  }

  /** A member has raised its fence for us, however late it says so. */
  void raised(int member, long number) {
    accepted[member] = Math.max(accepted[member], number);
    raising[member] &= number != target;
  }

  /**
   * A member has not raised its fence, or does not say. Also when the fence is there already: it
   * may be somebody else's who came after us. What it accepted before it has still accepted.
   */
  void notRaised(int member, long number) {
    refused[member] = Math.min(refused[member], number);
    raising[member] &= number != target;
  }

  /** Nobody who has not answered yet is waited for. */
  void giveUpRaising() {
    for (int i = 0; i < raising.length; i++) {
      if (raising[i]) {
        notRaised(i, target);
      }
    }
  }

  /** How many members have granted. */
  int granted() {
    int count = 0;
    for (long number : accepted) {
      count += number != NONE ? 1 : 0;
    }
    return count;
  }

  /** The number that a quorum has accepted; {@link #NONE} if there is none. */
  long token() {
    for (long number : accepted) {
      if (number != NONE && accepting(number) >= quorum) {
        return number;
      }
    }
    return NONE;
  }

  /** How many rounds of messages it took until now. */
  int rounds() {
    return rounds;
  }

  /** The number that is aimed at; {@link #NONE} in the first round. */
  long target() {
    return target;
  }

  /** Whether nothing is under way, and no number can get a quorum of those who have granted. */
  boolean isHopeless() {
    for (boolean underWay : raising) {
      if (underWay) {
        return false;
      }
    }
    return best() == NONE;
  }

  /**
   * Whom to ask to raise their fence to the {@link #target()}. It is the lowest number that a
   * quorum may accept: the Q-th smallest answer, if nobody has refused; and stays while it may
   * still get there.
   */
  List<Integer> toRaise() {
    if (target == NONE || accepting(target) + count(raising) < quorum) {
      long next = best();
      if (next == NONE) {
        return List.of();
      }
      if (next != target) {
        target = next;
        rounds++;
        Arrays.fill(raising, false);
      }
    }
    List<Integer> below = new ArrayList<>();
    for (int i = 0; i < accepted.length; i++) {
      if (accepted[i] != target && mayAccept(i, target) && !raising[i]) {
        raising[i] = true;
        below.add(i);
      }
    }
    return below;
  }

  /** The lowest answer that a quorum has accepted or may accept. */
  private long best() {
    long best = NONE;
    for (long number : accepted) {
      if (number == NONE || (best != NONE && number >= best)) {
        continue;
      }
      int may = 0;
      for (int i = 0; i < accepted.length; i++) {
        may += mayAccept(i, number) ? 1 : 0;
      }
      best = may >= quorum ? number : best;
    }
    return best;
  }

  private boolean mayAccept(int member, long number) {
    return accepted[member] == number
        || (accepted[member] != NONE && accepted[member] < number && number < refused[member]);
  }

  private int accepting(long number) {
    int count = 0;
    for (long each : accepted) {
      count += each == number ? 1 : 0;
    }
    return count;
  }

  private static int count(boolean[] flags) {
    int count = 0;
    for (boolean flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }
}
