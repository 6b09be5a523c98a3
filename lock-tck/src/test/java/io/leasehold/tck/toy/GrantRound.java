package io.leasehold.tck.toy;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Validity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** One attempt of the toy's quorum: votes, then a token that a majority accepts. */
final class GrantRound implements QuorumRules.Attempt {
  private static final Set<FailureKind> OFFLINE =
      EnumSet.of(FailureKind.UNREACHABLE, FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST);

  private final ToyQuorumNode quorum;
  private final QuorumRules rules;
  private final GrantRequest request;
  private final Validity validity;
  private final CompletableFuture<GrantReply> outcome = new CompletableFuture<>();
  private final Map<Integer, GrantReply> votes = new HashMap<>();
  private final List<Long> tokens = new ArrayList<>();
  private boolean decided;
  private boolean lost;

  GrantRound(ToyQuorumNode quorum, GrantRequest request) {
    this.quorum = quorum;
    this.rules = quorum.rules();
    this.request = request;
    this.validity = Validity.from(quorum.time(), request.ttlMillis());
  }

  CompletionStage<GrantReply> start() {
    rules.ask(this);
    return outcome;
  }

  @Override
  public List<LockNode> members() {
    return quorum.members();
  }

  @Override
  public String name() {
    return request.name();
  }

  @Override
  public Object client() {
    return quorum;
  }

  @Override
  public void miss(LockNode member) {
    long now = quorum.time().wallMillis() * 1_000;
    counted(quorum.members().indexOf(member), new Busy(Busy.UNKNOWN, now));
  }

  @Override
  public void ask(LockNode member) {
    int index = quorum.members().indexOf(member);
    CompletionStage<GrantReply> asked = member.grant(request);
    asked.thenAccept(vote -> late(index, vote));
    quorum.bounded(asked, failed -> failed).thenAccept(vote -> counted(index, vote));
  }

  private synchronized void late(int index, GrantReply vote) {
    if (lost && vote instanceof Granted && rules.releasesLateGrants()) {
      release(index);
    }
  }

  private void release(int index) {
    quorum.members().get(index).release(new ReleaseRequest(request.name(), request.owner()));
  }

  private void counted(int index, GrantReply vote) {
    int needed;
    synchronized (this) {
      if (decided) {
        return;
      }
      votes.put(index, vote);
      if (vote instanceof Granted granted) {
        tokens.add(granted.token());
      }
      int size = quorum.members().size();
      needed = rules.votes(size, size - disconnected());
      boolean unforgiven = vote instanceof Failed failed && !rules.forgives(failed.kind());
      if (!unforgiven && !isDecided(size - votes.size(), needed)) {
        return;
      }
      decided = true;
      if (unforgiven || tokens.size() < needed) {
        fail(needed);
        return;
      }
    }
    token(needed);
  }

  private int disconnected() {
    return (int)
        votes.values().stream()
            .filter(vote -> vote instanceof Failed failed && OFFLINE.contains(failed.kind()))
            .count();
  }

  private boolean isDecided(int open, int needed) {
    if (open == 0) {
      return true;
    }
    int granted = tokens.size();
    if (rules.awaitsAll() || (granted < needed && granted + open >= needed)) {
      return false;
    }
    if (granted < needed) { // and always will be; it may not be known yet why
      int most = quorum.members().size() - needed;
      return isContended(needed)
          || Stream.of(Failed.class, Guarded.class, Expired.class).anyMatch(k -> count(k) > most);
    }
    // Without agreement all answers are needed: of the first few, the largest may be a fast
    // clock's.
    return tokens.stream().filter(token -> token == request.proposal()).count() >= needed;
  }

  /** Whether a majority has answered, and somebody else is in the way. */
  private boolean isContended(int needed) {
    return count(Busy.class) > 0 && count(Busy.class) + tokens.size() >= needed;
  }

  private int count(Class<? extends GrantReply> kind) {
    return (int) votes.values().stream().filter(kind::isInstance).count();
  }

  private void fail(int needed) {
    int blocking = quorum.members().size() - needed + 1;
    lost = true;
    rules.failed(this);
    for (int i = 0; i < quorum.members().size(); i++) {
      if (rules.releasesLateGrants() || votes.get(i) instanceof Granted) {
        release(i);
      }
    }
    List<NodeAnswer> answers = answers();
    if (isContended(needed)) {
      outcome.complete(new Busy(rules.busyMillis(remaining(blocking)), clock(), answers));
    } else if (count(Guarded.class) >= blocking) {
      long longest =
          votes.values().stream()
              .mapToLong(vote -> vote instanceof Guarded guarded ? guarded.remainingMillis() : 0)
              .max()
              .orElse(0);
      outcome.complete(new Guarded(longest, clock(), answers));
    } else if (count(Expired.class) >= blocking) {
      outcome.complete(new Expired(clock()));
    } else {
      outcome.complete(failed("no majority", answers));
    }
  }

  private Failed failed(String why, List<NodeAnswer> answers) {
    return new Failed(FailureKind.NO_QUORUM, why, Optional.empty(), answers);
  }

  /** When so many nodes are free that a majority is to be had. */
  private long remaining(int blocking) {
    long[] rests =
        votes.values().stream()
            .filter(Busy.class::isInstance)
            .mapToLong(vote -> ((Busy) vote).remainingMillis())
            .sorted()
            .toArray();
    return rests[0] == Busy.UNKNOWN ? Busy.UNKNOWN : rests[Math.max(0, rests.length - blocking)];
  }

  private long clock() {
    return ToyQuorumNode.clock(votes.values());
  }

  private List<NodeAnswer> answers() {
    List<NodeAnswer> all = new ArrayList<>();
    for (int i = 0; rules.namesAnswers() && i < quorum.members().size(); i++) {
      all.add(ToyQuorumNode.answer(quorum.members().get(i), votes.get(i)));
    }
    return all;
  }

  private void token(int needed) {
    long[] sorted = tokens.stream().mapToLong(Long::longValue).sorted().toArray();
    long largest = sorted[sorted.length - 1];
    long agreed = LongStream.of(sorted).filter(t -> t == request.proposal()).count();
    switch (rules.tokens()) {
      case FIRST -> won(tokens.get(0), 1);
      case PROPOSAL -> won(request.proposal(), 1);
      case LARGEST_NOT_RAISED -> won(largest, 1);
      case LARGEST -> {
        if (agreed == sorted.length) {
          won(largest, 1);
        } else {
          raise(new long[] {largest}, 0, 1, 2);
        }
      }
      case RAISED -> {
        if (agreed >= needed) {
          won(request.proposal(), 1);
        } else {
          raise(LongStream.of(sorted).distinct().toArray(), place(sorted, needed), needed, 2);
        }
      }
    }
  }

  /** The place, among the different answers, of the one that is the needed-th smallest. */
  private static int place(long[] sorted, int needed) {
    return (int) LongStream.of(sorted).limit(needed).distinct().count() - 1;
  }

  private void raise(long[] candidates, int at, int needed, int round) {
    if (at >= candidates.length) {
      giveUp("no token that a majority accepts");
      return;
    }
    long token = candidates[at];
    List<CompletionStage<Boolean>> accepting = new ArrayList<>();
    votes.forEach(
        (index, vote) -> {
          if (vote instanceof Granted granted && granted.token() <= token) {
            accepting.add(accepted(index, granted, token));
          }
        });
    Tally.of(accepting, needed)
        .thenAccept(
            enough -> {
              if (enough) {
                won(token, round);
              } else {
                raise(candidates, at + 1, needed, round + 1);
              }
            });
  }

  private CompletionStage<Boolean> accepted(int index, Granted granted, long token) {
    if (granted.token() == token) {
      return CompletableFuture.completedFuture(true);
    }
    CompletionStage<RaiseReply> asked =
        quorum.members().get(index).raise(new RaiseRequest(request.name(), request.owner(), token));
    return quorum.bounded(asked, failed -> failed).thenApply(Raised.class::isInstance);
  }

  private void won(long token, int rounds) {
    boolean valid = validity.remainingNanos(quorum.time()) > 0;
    if (valid || (rounds > 1 && !rules.measuresAllRounds())) {
      outcome.complete(new Granted(token, clock(), rules.rounds(rounds), answers(), 0));
    } else {
      giveUp("its validity is spent");
    }
  }

  private void giveUp(String why) {
    synchronized (this) {
      lost = true;
    }
    for (int i = 0; i < quorum.members().size(); i++) {
      release(i);
    }
    outcome.complete(failed(why, answers()));
  }
}
