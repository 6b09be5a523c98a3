package io.leasehold.provider.memory;

import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for one lock, in the order in which they came: clients that want to be woken, and
 * places of a fair line. Guarded by the monitor of its {@link MemorySpace}.
 *
 * <p>A turn is its client's: any of its places that stands in line may take it. What is used up is
 * the place whose turn it is; the call that waits there gets the place of the one that was served
 * instead. A call that comes just now has none to give, and goes to the end. A client that lets its
 * turn pass loses all of its places: one that hangs would hold up the line once for each.
 */
final class MemoryLine {
  private static final long TURN_MICROS = FairLine.TURN_MILLIS * 1_000;

  /**
   * One who waits.
   *
   * @param place {@link GrantRequest#NO_PLACE} for a client that only wants to be woken
   */
  record Member(MemoryNode client, String place) {
    boolean isPlace() {
      return !place.isEmpty();
    }
  }

  /** Whose turn it is, and until when. Compared by identity: a client may have many. */
  static final class Turn {
    private final Member member;
    private final long endMicros;

    private Turn(Member member, long endMicros) {
      this.member = member;
      this.endMicros = endMicros;
    }
  }

  /**
   * Somebody was chosen, and is to be told once the monitor is free.
   *
   * @param turn the turn that was given; null for a client that only wants to be woken
   */
  record Call(MemoryNode client, @Nullable Turn turn) {}

  /**
   * The answer to somebody who asks while it is another's turn.
   *
   * @param remainingMillis for how long
   * @param call for the one whose turn has just begun; null when it was told before
   */
  record Behind(long remainingMillis, @Nullable Call call) {}

  private final List<Member> members = new ArrayList<>();
  private @Nullable Turn turn;

  /** Whoever is in line keeps its place. */
  void enter(Member member) {
    if (!members.contains(member)) {
      members.add(member);
    }
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  int size() {
    return members.size();
  }

  boolean hasTurn() {
    return turn != null;
  }

  /** Takes a member out; true when it was its turn, which ends. */
  boolean leave(Member member) {
    members.remove(member);
    if (turn == null || !turn.member.equals(member)) {
      return false;
    }
    turn = null;
    return true;
  }

  /** Takes a client out with all of its places, and ends its turn; false when it had none. */
  boolean drop(MemoryNode client) {
    endTurnOf(client);
    return members.removeIf(member -> member.client == client);
  }

  /** Ends the turn of a client, if it has it. Its places stay. */
  void endTurnOf(MemoryNode client) {
    if (turn != null && turn.member.client == client) {
      turn = null;
    }
  }

  /** A turn that was not taken ends, and its client's places with it; false when it was over. */
  boolean lapse(Turn given) {
    return turn == given && drop(given.member.client);
  }

  /**
   * Gives the first that hears a wake-up, for which it leaves the line, or its turn.
   *
   * @param lock the name of this line's lock, which is free
   * @param except a client whose places are passed over; null for none
   */
  @Nullable Call choose(String lock, long now, @Nullable MemoryNode except) {
    turn = null;
    Iterator<Member> each = members.iterator();
    while (each.hasNext()) {
      Member member = each.next();
      if (!member.isPlace()) {
        each.remove();
        if (member.client.isWatching(lock)) {
          return new Call(member.client, null);
        }
      } else if (member.client.isOpen() && member.client != except) {
        return give(member, now);
      }
    }
    return null;
  }

  private Call give(Member member, long now) {
    Turn given = new Turn(member, now + TURN_MICROS);
    turn = given;
    return new Call(member.client, given);
  }

  /**
   * Answers a client that asks while the lock is free. Null when it is to be served, which uses up
   * the place whose turn it is.
   */
  @Nullable Behind ask(Member asker, long now) {
    if (turn != null && turn.endMicros <= now) {
      lapse(turn);
    }
    Turn current = turn;
    Member next = current == null ? firstPlace() : current.member;
    boolean stands = asker.isPlace() && members.contains(asker);
    if (next == null || (stands && next.client == asker.client)) {
      serve(asker, next);
      return null;
    }
    if (asker.isPlace()) {
      enter(asker);
    }
    return current == null
        ? new Behind(FairLine.TURN_MILLIS, give(next, now))
        : new Behind(Math.max(1, (current.endMicros - now + 999) / 1_000), null);
  }

  private @Nullable Member firstPlace() {
    for (Member member : members) {
      if (member.isPlace() && member.client.isOpen()) {
        return member;
      }
    }
    return null;
  }

  private void serve(Member asker, @Nullable Member used) {
    turn = null;
    if (used != null && !used.equals(asker)) {
      members.remove(used);
      members.add(members.indexOf(asker), used);
    }
    members.remove(asker);
  }
}
