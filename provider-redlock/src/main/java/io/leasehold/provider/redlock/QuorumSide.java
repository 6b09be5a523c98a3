package io.leasehold.provider.redlock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The locks of one {@link Side} on a quorum: what a majority of the members says counts.
 *
 * <p>Two majorities share a member. On that member plain locks exclude each other, a writer
 * excludes readers and other writers, and nothing else is asked of it: so the readers of a quorum
 * are a quorum of readers, and its writers one of writers.
 */
class QuorumSide implements LockNode {
  private final Quorum quorum;
  private final Side side;
  private final Members members;
  private final QuorumTimes times;
  private final ProviderContext context;
  private final Acks acks;
  private final Contention contention;
  private final Set<Capability> capabilities;
  private final boolean fencing;

  QuorumSide(Quorum quorum, Side side, Set<Capability> capabilities) {
    this.quorum = quorum;
    this.side = side;
    this.members = quorum.members();
    this.times = quorum.times();
    this.context = quorum.context();
    this.acks = quorum.acks();
    this.contention = new Contention(context.time(), context.random());
    this.capabilities = Set.copyOf(capabilities);
    this.fencing = capabilities.contains(Capability.FENCING);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    if (quorum.isClosed()) {
      return CompletableFuture.completedFuture(Quorum.closedReply());
    }
    long budget = times.requestNanos();
    if (request.notAfter() != GrantRequest.NO_DEADLINE) {
      long left = request.notAfter() - members.nowMicros();
      if (left <= 0) {
        return CompletableFuture.completedFuture(new Expired(members.nowMicros()));
      }
      budget = Math.min(budget, left * 1_000);
    }
    long nodeBudget = Math.min(times.nodeNanos(), budget);
    long proposal = members.plausible(request.proposal());
    boolean anyway = members.areFew();
    ReleaseRequest release = new ReleaseRequest(request.name(), request.owner());
    Election<GrantReply> election =
        quorum.election(
            budget,
            fencing,
            new Election.Question<>(
                side,
                request.name(),
                request.owner(),
                proposal,
                request.ttlMillis(),
                member ->
                    member
                        .askFor(
                            side,
                            request.owner(),
                            node -> node.grant(forMember(request, proposal, member, nodeBudget)),
                            failed -> (GrantReply) failed,
                            anyway)
                        .thenApply(reply -> member.known(request.name(), reply)),
                failed -> failed,
                reply -> reply instanceof Busy,
                votes -> new Tally(members, votes).isDecided(),
                member -> member.release(side, release)));
    Optional<Member> first =
        contention.asksAlone(request.name()) ? members.firstFor(request.name()) : Optional.empty();
    return first
        .map(election::beginWith)
        .orElseGet(election::begin)
        .thenApply(result -> grantReply(request.name(), result));
  }

  /**
   * Each member has a deadline on its own clock: what arrives later grants nothing. Unless the
   * caller wants none.
   */
  private static GrantRequest forMember(
      GrantRequest request, long proposal, Member member, long budgetNanos) {
    return new GrantRequest(
        request.name(),
        request.owner(),
        request.ttlMillis(),
        proposal,
        request.notAfter() == GrantRequest.NO_DEADLINE
            ? GrantRequest.NO_DEADLINE
            : member.clock().deadlineIn(budgetNanos),
        request.queueing(),
        request.place());
  }

  private GrantReply grantReply(String name, Election.Result<GrantReply> result) {
    Tally tally = new Tally(members, result.votes());
    if (result.won()) {
      contention.won(name);
      return granted(result, tally);
    }
    if (quorum.isClosed()) {
      return Quorum.closedReply();
    }
    if (result.spent() || tally.granted() >= members.quorum()) {
      return tally.noToken(result.spent());
    }
    if (tally.isOneBusyAlone()) {
      return tally.grantReply(contention.busyAlone(name));
    }
    if (tally.granted() > 0) {
      return tally.grantReply(contention.split(name));
    }
    contention.busy(name);
    return tally.grantReply(Busy.UNKNOWN);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    if (quorum.isClosed()) {
      return CompletableFuture.completedFuture(Quorum.closedReply());
    }
    boolean anyway = members.areFew();
    long proposal = members.plausible(request.proposal());
    TransferRequest forAll =
        new TransferRequest(
            request.name(), request.from(), request.to(), request.ttlMillis(), proposal);
    ReleaseRequest from = new ReleaseRequest(request.name(), request.from());
    ReleaseRequest to = new ReleaseRequest(request.name(), request.to());
    return quorum
        .election(
            times.requestNanos(),
            fencing,
            new Election.Question<TransferReply>(
                side,
                request.name(),
                request.to(),
                proposal,
                request.ttlMillis(),
                member -> member.handOver(side, forAll, anyway),
                failed -> failed,
                reply -> false,
                votes -> new Tally(members, votes).isDecided(),
                member -> {
                  member.release(side.before(), from);
                  member.release(side, to);
                }))
        .begin()
        .thenApply(
            result -> {
              Tally tally = new Tally(members, result.votes());
              if (result.won()) {
                return granted(result, tally);
              }
              return quorum.isClosed()
                  ? Quorum.closedReply()
                  : result.spent() || tally.granted() >= members.quorum()
                      ? tally.noToken(result.spent())
                      : tally.transferReply();
            });
  }

  private Granted granted(Election.Result<?> result, Tally tally) {
    return new Granted(
        result.token(),
        members.nowMicros(),
        result.rounds(),
        tally.evidence(),
        tally.othersWaiting());
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return quorum.ballot(
        member -> member.release(side, request), failed -> failed, acks::isClear, acks::release);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    Function<Failed, List<ExtendReply>> failing =
        failed -> Collections.nCopies(requests.size(), failed);
    return quorum.ballot(
        member ->
            member
                .ask(side, node -> node.extend(requests), failing, members.areFew())
                .thenApply(replies -> Batches.checked(replies, requests.size())),
        failing,
        votes -> Batches.allMatch(votes, requests.size(), acks::isClear),
        votes -> Batches.map(votes, requests.size(), acks::extension));
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return quorum.ballot(
        member -> member.ask(side, node -> node.raise(request), failed -> failed, members.areFew()),
        failed -> failed,
        acks::isClear,
        acks::raise);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return quorum.ballot(
        member -> member.ask(side, node -> node.inspect(name), failed -> failed, members.areFew()),
        failed -> failed,
        acks::isKnown,
        votes -> acks.inspection(votes, side != Side.PLAIN));
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    if (quorum.isClosed()) {
      return CompletableFuture.completedFuture(Quorum.closedReply());
    }
    return QuorumWatch.begin(
        members,
        side,
        name,
        context.scheduler(),
        context.time(),
        () -> {
          contention.woken(name);
          wake.run();
        });
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return quorum.ballot(
        member -> member.ask(side, LockNode::identity, failed -> failed, members.areFew()),
        failed -> failed,
        votes -> votes.count(Identity.class) >= members.quorum(),
        votes ->
            votes.count(Identity.class) >= members.quorum()
                ? new Identity(members.serverIds(), Identity.Role.PRIMARY, members.nowMicros())
                : Tally.noQuorum(members, votes, "too few nodes answer"));
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return quorum.label();
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return Optional.empty();
  }

  /** Does nothing: a side ends with the node. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return label() + " " + side;
  }
}
