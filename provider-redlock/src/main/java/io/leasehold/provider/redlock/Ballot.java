package io.leasehold.provider.redlock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One question, put to all members at once. It ends as soon as the answers so far are enough to
 * know the outcome, and never waits for the slowest member.
 *
 * @param <R> the answers
 */
final class Ballot<R> {
  private final Members members;
  private final Function<Failed, R> failing;
  private final Predicate<Votes<R>> clear;
  private final CompletableFuture<Votes<R>> outcome = new CompletableFuture<>();
  private final Votes<R> votes; // guarded by the monitor
  private boolean over;
  private Scheduler.@Nullable Task end;

  private Ballot(Members members, Function<Failed, R> failing, Predicate<Votes<R>> clear) {
    this.members = members;
    this.failing = failing;
    this.clear = clear;
    this.votes = new Votes<>(members.size());
  }

  /**
   * Asks.
   *
   * @param question put to a member; must complete in the end, or is timed out here
   * @param failing makes an answer of silence
   * @param clear whether these answers are enough; called often, and must be quick
   * @return the answers of those that were waited for
   */
  static <R> CompletionStage<Votes<R>> hold(
      Members members,
      Function<Member, CompletionStage<R>> question,
      Function<Failed, R> failing,
      Predicate<Votes<R>> clear,
      Alarms alarms) {
    Ballot<R> ballot = new Ballot<>(members, failing, clear);
    for (Member member : members.all()) {
      question
          .apply(member)
          .whenComplete((answer, impossible) -> ballot.answered(member.index(), answer));
    }
    ballot.setEnd(alarms);
    return ballot.outcome;
  }

  private void setEnd(Alarms alarms) {
    synchronized (this) {
      if (!over) {
        end = alarms.set(this::timeOut);
      }
    }
  }

  private void answered(int member, R answer) {
    synchronized (this) {
      if (over) {
        return;
      }
      votes.add(member, answer);
      if (votes.unanswered() > 0 && !clear.test(votes)) {
        return;
      }
      over = true;
      if (end != null) {
        end.cancel();
      }
    }
    outcome.complete(votes); // nobody adds to them any more
  }

  private void timeOut() {
    List<Member> silent = new ArrayList<>();
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      for (Member member : members.all()) {
        if (votes.of(member.index()) == null) {
          silent.add(member);
          votes.add(
              member.index(),
              failing.apply(new Failed(FailureKind.TIMEOUT, "no answer within the node timeout")));
        }
      }
    }
    silent.forEach(Member::timedOut);
    outcome.complete(votes);
  }
}
