package io.leasehold.tck.toy;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.spi.WatchReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node made of nodes: the algorithm of {@code fencing.md} for a quorum, in its shortest form. */
final class ToyQuorumNode implements LockNode, Vouching, Findings {
  private final List<LockNode> members;
  private final QuorumRules rules;
  private final ProviderContext context;
  private final long timeoutNanos;
  private volatile boolean closed;

  ToyQuorumNode(
      List<LockNode> members, QuorumRules rules, ProviderContext context, long timeoutNanos) {
    this.members = List.copyOf(members);
    this.rules = rules;
    this.context = context;
    this.timeoutNanos = timeoutNanos;
  }

  List<LockNode> members() {
    return members;
  }

  QuorumRules rules() {
    return rules;
  }

  TimeSource time() {
    return context.time();
  }

  private int majority() {
    return members.size() / 2 + 1;
  }

  /** A member's answer, or a failure when it does not answer in time. */
  <R> CompletionStage<R> bounded(CompletionStage<R> asked, Function<Failed, R> failing) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    Failed late = new Failed(FailureKind.TIMEOUT, "the node does not answer");
    Scheduler.Task timer =
        context.scheduler().schedule(() -> answer.complete(failing.apply(late)), timeoutNanos);
    asked.thenAccept(
        reply -> {
          timer.cancel();
          answer.complete(reply);
        });
    return answer;
  }

  /** Asks all, and looks at the answers whenever one has come, until it says what they mean. */
  private <M, R> CompletableFuture<R> poll(
      Function<LockNode, CompletionStage<M>> question,
      Function<Failed, M> failing,
      Function<List<M>, Optional<R>> meaning,
      Function<Failed, R> unclear) {
    CompletableFuture<R> outcome = new CompletableFuture<>();
    if (closed) {
      outcome.complete(unclear.apply(new Failed(FailureKind.CLOSED, "the node is closed")));
      return outcome;
    }
    List<M> answers = new ArrayList<>();
    for (LockNode member : members) {
      bounded(question.apply(member), failing)
          .thenAccept(
              answer -> {
                synchronized (answers) {
                  answers.add(answer);
                  boolean all = answers.size() == members.size();
                  Optional<R> means =
                      all || !rules.awaitsAll() ? meaning.apply(answers) : Optional.empty();
                  means.ifPresent(outcome::complete);
                  if (all) {
                    Failed none = new Failed(FailureKind.NO_QUORUM, "no majority");
                    outcome.complete(unclear.apply(none));
                  }
                }
              });
    }
    return outcome;
  }

  private static <M> int count(List<M> answers, Class<? extends M> kind) {
    return (int) answers.stream().filter(kind::isInstance).count();
  }

  /** The median of the clocks that were told. */
  static long clock(Collection<?> replies) {
    long[] clocks =
        replies.stream()
            .filter(ServerClock.class::isInstance)
            .mapToLong(reply -> ((ServerClock) reply).serverMicros())
            .sorted()
            .toArray();
    return clocks.length == 0 ? 0 : clocks[clocks.length / 2];
  }

  static NodeAnswer answer(LockNode member, @Nullable GrantReply vote) {
    NodeAnswer.Kind kind =
        vote == null
            ? NodeAnswer.Kind.NOT_AWAITED
            : NodeAnswer.Kind.valueOf(vote.getClass().getSimpleName().toUpperCase(Locale.ROOT));
    String detail = vote instanceof Failed failed ? failed.kind() + ": " + failed.message() : "";
    return new NodeAnswer(member.label(), kind, detail);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return closed
        ? CompletableFuture.completedFuture(new Failed(FailureKind.CLOSED, "the node is closed"))
        : new GrantRound(this, request).start();
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return this.<RaiseReply, RaiseReply>poll(
        member -> member.raise(request),
        failed -> failed,
        answers -> {
          if (count(answers, Raised.class) >= majority()) {
            return Optional.of(new Raised(clock(answers)));
          }
          if (count(answers, Guarded.class) >= majority()) {
            return answers.stream().filter(Guarded.class::isInstance).findFirst();
          }
          return count(answers, Refused.class) >= majority()
              ? answers.stream().filter(Refused.class::isInstance).findFirst()
              : Optional.empty();
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return this.<ReleaseReply, ReleaseReply>poll(
        member -> member.release(request),
        failed -> failed,
        answers -> {
          if (count(answers, Released.class) >= majority()) {
            return Optional.of(new Released(clock(answers)));
          }
          return answers.size() == members.size() && count(answers, Failed.class) < majority()
              ? Optional.of(notHeld(answers))
              : Optional.empty();
        },
        failed -> failed);
  }

  private static NotHeld notHeld(List<?> answers) {
    Set<NotHeld.Cause> causes =
        answers.stream()
            .filter(NotHeld.class::isInstance)
            .map(answer -> ((NotHeld) answer).cause())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(NotHeld.Cause.class)));
    NotHeld.Cause cause =
        causes.contains(NotHeld.Cause.TAKEN) ? NotHeld.Cause.TAKEN : NotHeld.Cause.ABSENT;
    return new NotHeld(cause, clock(answers));
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return this.<List<ExtendReply>, List<ExtendReply>>poll(
        member -> member.extend(requests).thenApply(replies -> noted(member, requests, replies)),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList(),
        answers -> {
          List<ExtendReply> all = new ArrayList<>();
          for (int i = 0; i < requests.size(); i++) {
            int index = i;
            List<ExtendReply> own = answers.stream().map(list -> list.get(index)).toList();
            extended(own).ifPresent(all::add);
          }
          return all.size() == requests.size() ? Optional.of(all) : Optional.empty();
        },
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  private List<ExtendReply> noted(
      LockNode member, List<ExtendRequest> requests, List<ExtendReply> replies) {
    for (int i = 0; i < requests.size(); i++) {
      if (replies.get(i) instanceof NotHeld) {
        ExtendRequest request = requests.get(i);
        rules.missing(member, request.name(), request.owner(), request.ttlMillis());
      }
    }
    return replies;
  }

  private Optional<ExtendReply> extended(List<ExtendReply> answers) {
    int needed = rules.extensions(members.size());
    if (count(answers, Extended.class) >= needed) {
      return Optional.of(new Extended(clock(answers)));
    }
    boolean gone = count(answers, NotHeld.class) > members.size() - needed;
    if (gone) {
      return Optional.of(notHeld(answers));
    }
    return answers.size() == members.size()
        ? Optional.of(new Failed(FailureKind.NO_QUORUM, "no majority"))
        : Optional.empty();
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedFuture(new Failed(FailureKind.OTHER, "no hand-over"));
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return this.<InspectReply, InspectReply>poll(
        member -> member.inspect(name),
        failed -> failed,
        answers -> {
          List<Inspection> seen =
              answers.stream()
                  .filter(Inspection.class::isInstance)
                  .map(Inspection.class::cast)
                  .toList();
          boolean all = answers.size() == members.size();
          Optional<Inspection.Holder> holder = holder(seen);
          return seen.size() >= majority() && (all || holder.isPresent())
              ? Optional.of(new Inspection(holder, fence(seen), 0, clock(answers)))
              : Optional.empty();
        },
        failed -> failed);
  }

  /** Whoever holds the lock on a majority, until it is none. */
  private Optional<Inspection.Holder> holder(List<Inspection> seen) {
    List<Inspection.Holder> holders =
        seen.stream().flatMap(inspection -> inspection.holder().stream()).toList();
    for (Inspection.Holder holder : holders) {
      long[] rests =
          holders.stream()
              .filter(other -> other.owner().equals(holder.owner()))
              .mapToLong(Inspection.Holder::remainingMillis)
              .sorted()
              .toArray();
      if (rests.length >= majority()) {
        return Optional.of(new Inspection.Holder(holder.owner(), rests[rests.length - majority()]));
      }
    }
    return Optional.empty();
  }

  private long fence(List<Inspection> seen) {
    long[] fences = seen.stream().mapToLong(Inspection::fence).sorted().toArray();
    return fences[Math.max(0, fences.length - majority())];
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return CompletableFuture.completedFuture(new Failed(FailureKind.OTHER, "no wake-ups"));
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return this.<IdentityReply, IdentityReply>poll(
        LockNode::identity,
        failed -> failed,
        answers -> // at once, for what an answer says of a clock grows old
        count(answers, Identity.class) >= majority()
                ? Optional.of(new Identity("quorum", Identity.Role.PRIMARY, clock(answers)))
                : Optional.empty(),
        failed -> failed);
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    return this.<VouchReply, VouchReply>poll(
        member -> member.offer(Vouching.class).orElseThrow().vouch(),
        failed -> failed,
        answers ->
            count(answers, Vouched.class) == members.size()
                ? Optional.of(new Vouched(clock(answers)))
                : Optional.empty(),
        failed -> failed);
  }

  @Override
  public List<Finding> findings() {
    return members.stream()
        .flatMap(member -> member.offer(Findings.class).stream())
        .flatMap(findings -> findings.findings().stream())
        .distinct()
        .toList();
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    boolean guarded = capabilities().contains(Capability.GUARD);
    return kind == Vouching.class && !guarded ? Optional.empty() : LockNode.super.offer(kind);
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> some = EnumSet.of(Capability.FENCING, Capability.GUARD);
    members.forEach(member -> some.retainAll(member.capabilities()));
    return some;
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return members.stream().map(LockNode::label).collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    closed = true;
    members.forEach(LockNode::close);
  }

  @Override
  public String toString() {
    return label();
  }
}
