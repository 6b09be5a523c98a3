package io.leasehold.provider.redlock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ProviderContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What all {@linkplain Side sides} of a quorum share: its members, and how they are asked. */
final class Quorum {
  private final Members members;
  private final QuorumTimes times;
  private final ProviderContext context;
  private final Alarms nodeAlarms;
  private final Alarms requestAlarms;
  private final Acks acks;
  private final String label;
  private volatile boolean closed;

  Quorum(List<LockNode> nodes, int quorum, QuorumTimes times, ProviderContext context) {
    this.members = new Members(nodes, quorum, times, context);
    this.acks = new Acks(members);
    this.nodeAlarms = new Alarms(context.scheduler(), context.time(), times.nodeNanos());
    this.requestAlarms = new Alarms(context.scheduler(), context.time(), times.requestNanos());
    this.times = times;
    this.context = context;
    this.label =
        "redlock of " + nodes.stream().map(LockNode::label).collect(Collectors.joining(", "));
  }

  Members members() {
    return members;
  }

  QuorumTimes times() {
    return times;
  }

  ProviderContext context() {
    return context;
  }

  Acks acks() {
    return acks;
  }

  String label() {
    return label;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether it was open until now. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  static Failed closedReply() {
    return new Failed(FailureKind.CLOSED, "the node has been closed");
  }

  <R> Election<R> election(long budgetNanos, boolean fencing, Election.Question<R> question) {
    return new Election<>(
        members,
        question,
        fencing,
        times,
        budgetNanos,
        nodeAlarms,
        context.scheduler(),
        context.time());
  }

  /** Asks all members, for no longer than a request may take, and makes one reply of it. */
  <A, R> CompletionStage<R> ballot(
      Function<Member, CompletionStage<A>> question,
      Function<Failed, A> failing,
      Predicate<Votes<A>> clear,
      Function<Votes<A>, R> reply) {
    return ballot(question, failing, clear, reply, requestAlarms);
  }

  /** The same, until these alarms ring. */
  <A, R> CompletionStage<R> ballot(
      Function<Member, CompletionStage<A>> question,
      Function<Failed, A> failing,
      Predicate<Votes<A>> clear,
      Function<Votes<A>, R> reply,
      Alarms alarms) {
    Function<Member, CompletionStage<A>> open =
        member ->
            closed
                ? CompletableFuture.completedFuture(failing.apply(closedReply()))
                : question.apply(member);
    return Ballot.hold(members, open, failing, clear, alarms).thenApply(reply);
  }
}
