package io.leasehold.provider.redlock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.TransferReply;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the answers of the members to a grant, or to a transfer, mean together when there is no
 * quorum of grants.
 *
 * <p>Busy only if it is others who stand in the way: had those that answered Busy granted, there
 * would be a quorum. Otherwise guarded, if it is the guard. Otherwise nobody knows.
 */
final class Tally {
  private final Members members;
  private final Votes<?> votes;
  private final int granted;
  private final int busy;
  private final int guarded;
  private final int expired;
  private final int notHeld;

  Tally(Members members, Votes<?> votes) {
    this.members = members;
    this.votes = votes;
    this.granted = votes.count(Granted.class);
    this.busy = votes.count(Busy.class);
    this.guarded = votes.count(Guarded.class);
    this.expired = votes.count(Expired.class);
    this.notHeld = votes.count(NotHeld.class);
  }

  /** How many granted. */
  int granted() {
    return granted;
  }

  /** How many other clients wait, as the member says that knows of most. */
  int othersWaiting() {
    return votes.answers(Granted.class).stream().mapToInt(Granted::othersWaiting).max().orElse(0);
  }

  /**
   * Whether further answers cannot change what these mean, given that there is no quorum of grants:
   * whatever would say more than they do has become impossible.
   */
  boolean isDecided() {
    int quorum = members.quorum();
    int open = votes.unanswered();
    int lost = members.size() - quorum;
    int[] known = {granted + busy, granted + busy + guarded, granted + busy + guarded + expired};
    if (notHeld > lost) {
      return true;
    }
    if (notHeld > 0 && notHeld + open > lost) {
      return false;
    }
    for (int count : known) { // in the order in which the outcomes are preferred
      if (count >= quorum) {
        return true;
      }
      if (count + open >= quorum) {
        return false;
      }
    }
    return true;
  }

  /** Whether only one member was asked, and is busy. */
  boolean isOneBusyAlone() {
    return busy == 1 && votes.unanswered() == members.size() - 1;
  }

  /**
   * What a grant is answered with.
   *
   * @param hintMillis when to ask again, where the members cannot tell
   */
  GrantReply grantReply(long hintMillis) {
    int quorum = members.quorum();
    if (granted + busy >= quorum || isOneBusyAlone()) {
      return new Busy(busyMillis(hintMillis), members.nowMicros(), evidence());
    }
    if (granted + busy + guarded >= quorum) {
      return guardedReply(quorum - granted - busy);
    }
    if (granted + busy + guarded + expired >= quorum) {
      return new Expired(members.nowMicros());
    }
    return failed();
  }

  /** The lock was had, but not in time, or no token for it. */
  Failed noToken(boolean spent) {
    return new Failed(
        spent ? FailureKind.TIMEOUT : FailureKind.NO_QUORUM,
        spent
            ? "no quorum in time: " + granted + " of " + members.size() + " nodes granted"
            : "no quorum for a token, though "
                + granted
                + " nodes granted; do their clocks differ by seconds?",
        Optional.empty(),
        evidence());
  }

  /** What a transfer is answered with. */
  TransferReply transferReply() {
    if (notHeld > members.size() - members.quorum()) {
      return notHeld(members, votes);
    }
    return granted + guarded >= members.quorum()
        ? guardedReply(members.quorum() - granted)
        : failed();
  }

  private Guarded guardedReply(int needed) {
    return new Guarded(guardedMillis(votes, needed), members.nowMicros(), evidence());
  }

  /** When so many of those that are guarded will not be any more. */
  static long guardedMillis(Votes<?> votes, int needed) {
    long[] remaining =
        votes.answers(Guarded.class).stream()
            .mapToLong(Guarded::remainingMillis)
            .sorted()
            .toArray();
    return remaining[Math.max(0, Math.min(needed, remaining.length) - 1)];
  }

  /**
   * When a quorum may be free. Some granted and others did not: contenders split the votes, or one
   * has left something behind, and nobody can tell when that ends; the same when one member was
   * asked alone. Otherwise somebody holds the lock, and it ends where it ends first on enough of
   * them.
   */
  private long busyMillis(long hintMillis) {
    long[] remaining =
        votes.answers(Busy.class).stream()
            .mapToLong(Busy::remainingMillis)
            .filter(millis -> millis >= 0)
            .sorted()
            .toArray();
    if (granted > 0 || isOneBusyAlone()) {
      return remaining.length == 0 ? hintMillis : Math.min(hintMillis, remaining[0]);
    }
    return remaining.length == 0
        ? Busy.UNKNOWN
        : remaining[Math.min(members.quorum(), remaining.length) - 1];
  }

  private Failed failed() {
    return noQuorum(
        members,
        votes,
        granted + " of " + members.size() + " nodes granted, " + members.quorum() + " are needed");
  }

  /**
   * Fewer than a quorum could answer. When so many fail for a reason that only a person can remove
   * that the others do not matter, that reason is told.
   */
  static Failed noQuorum(Members members, Votes<?> votes, String message) {
    FailureKind lasting = null;
    Optional<Throwable> cause = Optional.empty();
    int hopeless = 0;
    int closed = 0;
    for (Failed failed : votes.answers(Failed.class)) {
      cause = cause.or(failed::cause);
      if (failed.kind() == FailureKind.CLOSED) {
        closed++;
      } else if (!failed.kind().isTransient()) {
        lasting = failed.kind();
        hopeless++;
      }
    }
    boolean hopelessly = hopeless + closed > members.size() - members.quorum();
    FailureKind kind =
        !hopelessly ? FailureKind.NO_QUORUM : lasting == null ? FailureKind.CLOSED : lasting;
    return new Failed(kind, "no quorum: " + message, cause, evidence(members, votes));
  }

  /** What the members say together when the lock is not the owner's. */
  static NotHeld notHeld(Members members, Votes<?> votes) {
    NotHeld.Cause cause = NotHeld.Cause.ABSENT;
    for (NotHeld said : votes.answers(NotHeld.class)) {
      // Forced says more than taken, and taken more than absent.
      cause = said.cause().compareTo(cause) > 0 ? said.cause() : cause;
    }
    return new NotHeld(cause, members.nowMicros());
  }

  /** What each member said, or that it was not waited for. */
  List<NodeAnswer> evidence() {
    return evidence(members, votes);
  }

  static List<NodeAnswer> evidence(Members members, Votes<?> votes) {
    NodeAnswer[] evidence = new NodeAnswer[members.size()];
    Arrays.setAll(evidence, i -> evidence(members.all().get(i).label(), votes.of(i)));
    return List.of(evidence);
  }

  static NodeAnswer evidence(String label, @Nullable Object answer) {
    if (answer instanceof GrantReply reply) {
      return NodeAnswer.of(label, reply);
    }
    if (answer instanceof NotHeld notHeld) {
      return new NodeAnswer(label, NodeAnswer.Kind.NOT_HELD, notHeld.cause().toString());
    }
    return answer == null
        ? new NodeAnswer(label, NodeAnswer.Kind.NOT_AWAITED, "")
        : new NodeAnswer(label, NodeAnswer.Kind.DONE, "");
  }
}
