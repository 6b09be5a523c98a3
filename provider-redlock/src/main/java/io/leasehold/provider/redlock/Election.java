package io.leasehold.provider.redlock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a lock, and a token, from a quorum.
 *
 * <h2>The votes</h2>
 *
 * Every member is asked at once, with one owner id and one proposal for the token. A grant is a
 * vote; anything else is none. The attempt has won its lock as soon as a quorum granted, and has
 * failed as soon as that has become impossible and it is clear why. An attempt that follows a split
 * vote asks one member alone before the others: contenders queue up there instead of splitting the
 * votes again.
 *
 * <h2>The token</h2>
 *
 * Each member's grant lifts its fence to some number, the proposal where that fits, and answers it.
 * A token counts once a quorum of fences has <em>accepted</em> it, as a grant's answer or by a
 * {@code raise}:
 *
 * <ol>
 *   <li>A quorum answered the same, which is the proposal as a rule: it is the token. One round
 *       trip, and the usual case.
 *   <li>Otherwise the others get a moment more to answer, no longer than the first ones took. Then
 *       the Q-th smallest answer is the target. Members that answered it have accepted it; those
 *       below are asked to raise their fence; those above are left alone. Not the largest answer:
 *       one server whose clock is fast would drag everybody along.
 *   <li>When the target cannot get a quorum, the next one is the lowest answer that still can.
 * </ol>
 *
 * Two quorums share a member, and there the fence only grows: so no token is given out twice, and a
 * later attempt's is larger. For that it is vital that nothing but a grant's own answer and a
 * confirmed raise counts: that a fence <em>is</em> at the target proves nothing, it may be a
 * successor's.
 *
 * <h2>Time</h2>
 *
 * Validity counts from before the first request, over all rounds. An attempt whose validity is
 * spent has failed, whatever the members say.
 *
 * <h2>Failing</h2>
 *
 * A failed attempt is released on every member that was asked, at once, without waiting, and
 * whatever that member has answered: an answer may have been lost. {@link Member} sees to it that a
 * release does not overtake the grant.
 *
 * @param <R> the answers of the first round
 */
final class Election<R> {

  /**
   * How it ended.
   *
   * @param token the token; 0 when it failed
   * @param rounds how many rounds of messages it took
   * @param spent whether its validity was spent
   * @param votes the answers of the first round
   */
  record Result<R>(boolean won, long token, int rounds, boolean spent, Votes<R> votes) {}

  /**
   * What is asked for.
   *
   * @param side which locks of the members are asked for
   * @param firstRound asks a member
   * @param failing makes an answer of silence
   * @param stops whether an answer of the member that is asked alone ends the attempt
   * @param decided whether these answers show why there is no quorum; asked only when it has become
   *     impossible
   * @param release gives back, on a member, what this attempt may have got there
   */
  record Question<R>(
      Side side,
      String name,
      String owner,
      long proposal,
      long ttlMillis,
      Function<Member, CompletionStage<R>> firstRound,
      Function<Failed, R> failing,
      Predicate<R> stops,
      Predicate<Votes<R>> decided,
      Consumer<Member> release) {}

  private static final long SHORTEST_GRACE_NANOS = 1_000_000L;

  private final Members members;
  private final Question<R> question;
  private final boolean fencing;
  private final QuorumTimes times;
  private final Alarms alarms;
  private final Scheduler scheduler;
  private final TimeSource time;
  private final Validity validity;
  private final long endNanos;
  private final CompletableFuture<Result<R>> result = new CompletableFuture<>();

  // Guarded by the monitor.
  private final Votes<R> votes;
  private final boolean[] asked;
  private final Tokens tokens;
  private boolean alone;
  private boolean over;
  private boolean won;
  private boolean graceIsOver;
  private Scheduler.@Nullable Task grace;
  private Scheduler.@Nullable Task alarm;

  Election(
      Members members,
      Question<R> question,
      boolean fencing,
      QuorumTimes times,
      long budgetNanos,
      Alarms alarms,
      Scheduler scheduler,
      TimeSource time) {
    this.members = members;
    this.question = question;
    this.fencing = fencing;
    this.times = times;
    this.alarms = alarms;
    this.scheduler = scheduler;
    this.time = time;
    this.validity = Validity.from(time, question.ttlMillis);
    this.endNanos = validity.sentNanos() + Math.min(budgetNanos, times.requestNanos());
    int size = members.size();
    this.votes = new Votes<>(size);
    this.asked = new boolean[size];
    this.tokens = new Tokens(size, members.quorum());
  }

  /**
   * Asks everybody at once.
   *
   * @return the result; never exceptionally
   */
  CompletionStage<Result<R>> begin() {
    askAllOthers();
    return result;
  }

  /** Asks one member, and the others when it has granted, failed, or let us wait. */
  CompletionStage<Result<R>> beginWith(Member first) {
    synchronized (this) {
      alone = true;
      willAsk(first);
      alarm = scheduler.schedule(this::askAllOthers, times.nodeNanos() / 4);
    }
    send(first);
    return result;
  }

  private void askAllOthers() {
    List<Member> others = new ArrayList<>();
    synchronized (this) {
      if (over) {
        return;
      }
      alone = false;
      for (Member member : members.all()) {
        if (!asked[member.index()]) {
          willAsk(member);
          others.add(member);
        }
      }
    }
    others.forEach(this::send);
    setAlarm();
  }

  private void willAsk(Member member) {
    asked[member.index()] = true;
    member.expect(question.owner);
  }

  /** Also when the outcome is clear already, as long as it is not a failure: all shall know. */
  private void send(Member member) {
    boolean pointless;
    synchronized (this) {
      pointless = over && !won;
    }
    if (pointless) {
      member.expectNoMore(question.owner);
      return;
    }
    question
        .firstRound
        .apply(member)
        .whenComplete((answer, impossible) -> answered(member, answer));
  }

  /** Nobody is waited for longer than a node timeout from now, nor than the request has time. */
  private void setAlarm() {
    synchronized (this) {
      cancelAlarm();
      if (!over) {
        long left = endNanos - time.monotonicNanos();
        alarm =
            left >= times.nodeNanos()
                ? alarms.set(this::timeOut)
                : scheduler.schedule(this::timeOut, left);
      }
    }
  }

  private void answered(Member member, R answer) {
    boolean first;
    boolean stop;
    synchronized (this) {
      first = alone && !over;
      stop = first && question.stops.test(answer);
      if (!over) {
        votes.add(member.index(), answer);
        if (answer instanceof Granted granted) {
          tokens.granted(member.index(), granted.token());
        }
      } else if (!won) {
        member.answeredLate(question.owner, answer);
      }
      if (stop) {
        finish();
      }
    }
    if (stop) {
      end(Tokens.NONE, false);
    } else if (first) {
      askAllOthers();
    }
    goOn();
  }

  private void raised(Member member, long to, RaiseReply reply) {
    synchronized (this) {
      if (reply instanceof Raised) {
        tokens.raised(member.index(), to);
      } else {
        tokens.notRaised(member.index(), to);
      }
    }
    goOn();
  }

  /** Those who have not answered yet have had their moment. */
  private void endGrace() {
    synchronized (this) {
      graceIsOver = true;
    }
    goOn();
  }

  /** Nobody is waited for any longer in this round. */
  private void timeOut() {
    List<Member> silent = new ArrayList<>();
    synchronized (this) {
      if (over) {
        return;
      }
      for (Member member : members.all()) {
        int i = member.index();
        if (votes.of(i) == null) {
          silent.add(member);
          votes.add(
              i,
              question.failing.apply(
                  new Failed(FailureKind.TIMEOUT, "no answer within the node timeout")));
        }
      }
    }
    silent.forEach(Member::timedOut);
    synchronized (this) {
      tokens.giveUpRaising();
    }
    goOn();
  }

  /** Looks at what is known, and takes the next step if it is clear. */
  private void goOn() {
    List<Integer> toRaise = List.of();
    boolean ended;
    boolean spent;
    long token = Tokens.NONE;
    long to;
    synchronized (this) {
      if (over) {
        return;
      }
      spent = validity.remainingNanos(time) <= 0 || time.monotonicNanos() - endNanos >= 0;
      if (!spent) {
        token = token();
        if (token == Tokens.NONE && isTimeToRaise()) {
          toRaise = tokens.toRaise();
        }
      }
      to = tokens.target();
      won = token != Tokens.NONE;
      ended = won || spent || failed();
      if (ended) {
        finish();
      }
    }
    if (ended) {
      end(token, spent);
    } else if (!toRaise.isEmpty()) {
      toRaise.forEach(member -> raise(members.all().get(member), to));
      setAlarm();
    }
  }

  private void raise(Member member, long to) {
    RaiseRequest request = new RaiseRequest(question.name, question.owner, to);
    member
        .ask(question.side, node -> node.raise(request), failed -> (RaiseReply) failed, true)
        .whenComplete((reply, impossible) -> raised(member, to, reply));
  }

  private void end(long token, boolean spent) {
    boolean success = token != Tokens.NONE;
    if (!success) {
      for (Member member : members.all()) {
        if (asked[member.index()]) {
          question.release.accept(member);
        }
      }
    }
    result.complete(new Result<>(success, success ? token : 0, tokens.rounds(), spent, votes));
  }

  // What follows is called under the monitor.

  private void finish() {
    over = true;
    cancelTimers();
    if (!won) {
      noteLeftovers();
    }
  }

  /**
   * A member that did not answer, or lost the answer, may have granted. A member that was merely
   * not awaited because others are busy gets another node timeout to answer: until then its next
   * "busy" counts, since the others show that the lock is contended.
   */
  private void noteLeftovers() {
    int granted = votes.count(Granted.class);
    boolean contended =
        granted < members.quorum() && granted + votes.count(Busy.class) >= members.quorum();
    long endsNanos = endNanos + question.ttlMillis * 1_000_000L; // a late request has a deadline
    for (Member member : members.all()) {
      R answer = votes.of(member.index());
      boolean unawaited = asked[member.index()] && answer == null;
      if (unawaited || (answer instanceof Failed failed && failed.kind().isAmbiguous())) {
        long grace = unawaited && contended ? times.nodeNanos() : 0;
        member.mayHaveLeft(question.name, question.owner, grace, endsNanos);
      }
    }
  }

  private void cancelTimers() {
    cancelAlarm();
    if (grace != null) {
      grace.cancel();
      grace = null;
    }
  }

  private void cancelAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }

  /** The token that a quorum has accepted; {@link Tokens#NONE} when there is none yet. */
  private long token() {
    if (!fencing) {
      return tokens.granted() >= members.quorum() ? Granted.NO_TOKEN : Tokens.NONE;
    }
    return tokens.token();
  }

  /** Whether a quorum has granted, and all have answered or have had the time to. */
  private boolean isTimeToRaise() {
    if (tokens.granted() < members.quorum()) {
      return false;
    }
    if (votes.unanswered() > 0 && !graceIsOver && grace == null) {
      long taken = time.monotonicNanos() - validity.sentNanos();
      grace = scheduler.schedule(this::endGrace, Math.max(SHORTEST_GRACE_NANOS, taken));
    }
    return votes.unanswered() == 0 || graceIsOver;
  }

  /** Whether a quorum, or a token for it, cannot be had any more, and it is known why. */
  private boolean failed() {
    int open = votes.unanswered();
    boolean noToken = open == 0 && tokens.granted() >= members.quorum() && tokens.isHopeless();
    return noToken || (tokens.granted() + open < members.quorum() && question.decided.test(votes));
  }
}
