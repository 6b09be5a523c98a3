package io.leasehold.provider.redlock;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the answers of the members mean together, to everything but a grant and a transfer. */
final class Acks {
  private final Members members;

  Acks(Members members) {
    this.members = members;
  }

  /** Whether a quorum did it, or so many did not that no quorum can have been the owner's. */
  boolean isClear(Votes<?> votes) {
    return votes.count(Released.class) >= members.quorum()
        || votes.count(Extended.class) >= members.quorum()
        || votes.count(Raised.class) >= members.quorum()
        || isNotHeld(votes);
  }

  private boolean isNotHeld(Votes<?> votes) {
    int not = votes.count(NotHeld.class) + votes.count(Refused.class);
    return not > members.size() - members.quorum();
  }

  /**
   * A release is confirmed when a quorum has answered: the lock is free there. It was held, unless
   * so many say no that no quorum can have held it.
   */
  ReleaseReply release(Votes<ReleaseReply> votes) {
    if (isNotHeld(votes)) {
      return Tally.notHeld(members, votes);
    }
    int confirmed = votes.count(Released.class) + votes.count(NotHeld.class);
    return confirmed >= members.quorum()
        ? new Released(
            members.nowMicros(),
            votes.answers(Released.class).stream().anyMatch(Released::wokeAnother))
        : Tally.noQuorum(
            members, votes, confirmed + " of " + members.size() + " nodes confirmed the release");
  }

  /** An extension needs a quorum of members on which the lock is still the owner's. */
  ExtendReply extension(Votes<ExtendReply> votes) {
    int extended = votes.count(Extended.class);
    if (extended >= members.quorum()) {
      return new Extended(members.nowMicros());
    }
    return isNotHeld(votes)
        ? Tally.notHeld(members, votes)
        : Tally.noQuorum(
            members, votes, extended + " of " + members.size() + " nodes extended the lock");
  }

  RaiseReply raise(Votes<RaiseReply> votes) {
    int raised = votes.count(Raised.class);
    if (raised >= members.quorum()) {
      return new Raised(members.nowMicros());
    }
    long fence = 0;
    for (Refused refused : votes.answers(Refused.class)) {
      fence = Math.max(fence, refused.fence());
    }
    if (raised + votes.count(Guarded.class) >= members.quorum()) {
      return new Guarded(
          Tally.guardedMillis(votes, members.quorum() - raised), members.nowMicros());
    }
    return isNotHeld(votes)
        ? new Refused(fence, members.nowMicros())
        : Tally.noQuorum(
            members, votes, raised + " of " + members.size() + " nodes raised the fence");
  }

  /** Whether it is known of everybody who was seen whether a quorum is theirs. */
  boolean isKnown(Votes<InspectReply> votes) {
    return votes.count(Inspection.class) >= members.quorum()
        && holders(votes).values().stream()
            .mapToInt(List::size)
            .allMatch(on -> on >= members.quorum() || on + votes.unanswered() < members.quorum());
  }

  /**
   * The holder is whoever may hold a quorum, as far as can be seen.
   *
   * @param shared whether there may be several
   */
  InspectReply inspection(Votes<InspectReply> votes, boolean shared) {
    int seen = votes.count(Inspection.class);
    if (seen < members.quorum()) {
      return Tally.noQuorum(members, votes, seen + " of " + members.size() + " nodes answered");
    }
    long fence = 0;
    int waiters = 0;
    for (Inspection inspection : votes.answers(Inspection.class)) {
      fence = Math.max(fence, inspection.fence());
      waiters = Math.max(waiters, inspection.waiters());
    }
    int unseen = votes.count(Failed.class);
    List<Inspection.Holder> holders =
        holders(votes).values().stream()
            .filter(on -> on.size() + unseen >= members.quorum())
            .sorted(Comparator.comparingInt((List<Inspection.Holder> on) -> on.size()).reversed())
            .limit(shared ? Long.MAX_VALUE : 1)
            .map(this::untilItsQuorumEnds)
            .toList();
    return new Inspection(holders, fence, waiters, members.nowMicros());
  }

  private static Map<String, List<Inspection.Holder>> holders(Votes<InspectReply> votes) {
    Map<String, List<Inspection.Holder>> holders = new LinkedHashMap<>();
    for (Inspection inspection : votes.answers(Inspection.class)) {
      for (Inspection.Holder holder : inspection.holders()) {
        holders.computeIfAbsent(holder.owner(), o -> new ArrayList<>()).add(holder);
      }
    }
    return holders;
  }

  private Inspection.Holder untilItsQuorumEnds(List<Inspection.Holder> on) {
    long[] remaining = on.stream().mapToLong(Inspection.Holder::remainingMillis).sorted().toArray();
    int shortest = Math.max(0, remaining.length - members.quorum());
    long shown =
        remaining[0] == Inspection.Holder.NO_EXPIRY
            ? Inspection.Holder.NO_EXPIRY
            : remaining[shortest];
    return new Inspection.Holder(
        on.get(0).owner(),
        shown,
        on.stream().map(Inspection.Holder::client).flatMap(Optional::stream).findFirst());
  }

  /** The names that any of them lists, if a quorum of them lists. */
  ListReply listing(Votes<ListReply> votes, int limit) {
    List<Listed> listed = votes.answers(Listed.class);
    if (listed.size() < members.quorum()) {
      return Tally.noQuorum(
          members, votes, listed.size() + " of " + members.size() + " nodes listed their locks");
    }
    Set<String> names = new LinkedHashSet<>();
    listed.forEach(each -> names.addAll(each.names()));
    return new Listed(
        names.stream().limit(limit).toList(),
        names.size() <= limit && listed.stream().allMatch(Listed::complete));
  }
}
