package io.leasehold.provider.redlock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.OffloadedNode;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.ServerClockEstimate;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of a quorum, and whether it is worth asking.
 *
 * <p>A member <em>serves</em> once it has said who it is and that is acceptable. When it does not
 * answer, or its connection breaks, it is <em>suspended</em>: calls get an answer for it at once
 * and do not wait, and it is asked in the background who it is until it answers again. So a member
 * that hangs costs a call at most one node timeout, once, and holds few threads and connections. It
 * serves again only after it has said who it is: another server may sit at its address now.
 *
 * <p>What was to be released on it meanwhile is remembered, and released when it is back.
 */
final class Member {
  /** Kinds of failure after which asking again at once is a waste. */
  private static final Set<FailureKind> SUSPENDING =
      EnumSet.of(
          FailureKind.TIMEOUT,
          FailureKind.UNREACHABLE,
          FailureKind.CONNECTION_LOST,
          FailureKind.LOADING);

  /** So many requests may wait for a member that has become slow. */
  private static final int FEW = 16;

  /** So often a member is asked who it is before a client that opens does without it. */
  private static final int CHANCES = 3;

  private static final long FIRST_LOOK_NANOS = 20_000_000L;
  private static final long LONGEST_LOOK_NANOS = 500_000_000L;

  /** How often a member that serves is asked who it is. */
  private static final long REGULAR_LOOK_NANOS = 10_000_000_000L;

  /** What a member is, and why. */
  private enum Standing {
    /** Has not said yet who it is. */
    UNKNOWN,
    SERVING,
    SUSPENDED,
    /** Must not vote. */
    REFUSED
  }

  private static final Failed NOTHING = new Failed(FailureKind.OTHER, "");
  private static final Failed NO_SUCH_LOCKS =
      new Failed(FailureKind.OTHER, "does not offer this kind of lock");

  private record State(Standing standing, Failed failed) {}

  private final int index;
  private final LockNode node;
  private final @Nullable Executor executor;
  private final LockNode raw;
  private final Map<Side, LockNode> sides = new EnumMap<>(Side.class);
  private final Members members;
  private final ProviderContext context;
  private final long patienceNanos;
  private final ServerClockEstimate clock;
  private final Debts debts;
  private final Underway underway = new Underway();
  private final Leftovers leftovers;
  private final AtomicInteger releasing = new AtomicInteger();
  private volatile Silence silence;
  private volatile State state =
      new State(
          Standing.UNKNOWN, new Failed(FailureKind.UNREACHABLE, "it has not been connected yet"));
  private volatile int vainLooks;
  private volatile Optional<String> serverId = Optional.empty();

  // Guarded by the monitor.
  private Scheduler.@Nullable Task look;
  private boolean looking;
  private boolean closed;
  private long lookDelay = FIRST_LOOK_NANOS;

  Member(int index, LockNode raw, Members members, QuorumTimes times, ProviderContext context) {
    this.index = index;
    this.raw = raw;
    this.executor = raw.blocking() ? context.newBlockingExecutor(raw.label()) : null;
    Executor threads = executor;
    this.node = threads == null ? raw : OffloadedNode.nonBlocking(raw, () -> threads);
    for (Side side : Side.values()) {
      side.of(node).ifPresent(locks -> sides.put(side, locks));
    }
    this.members = members;
    this.context = context;
    this.patienceNanos = times.nodeNanos();
    this.clock = new ServerClockEstimate(context.time());
    this.silence = newSilence();
    this.debts = new Debts(context.time(), times.longestLeaseNanos());
    this.leftovers = new Leftovers(context.time());
  }

  int index() {
    return index;
  }

  String label() {
    return raw.label();
  }

  /** Whether it has such locks. */
  boolean has(Side side) {
    return sides.containsKey(side);
  }

  /** What it can do with these locks. */
  Set<Capability> capabilities(Side side) {
    LockNode locks = sides.get(side);
    return locks == null ? Set.of() : locks.capabilities();
  }

  LockNode raw() {
    return raw;
  }

  ServerClockEstimate clock() {
    return clock;
  }

  /** The server that it last said it is. */
  Optional<String> serverId() {
    return serverId;
  }

  /** It has said who it is, and nobody else is that. */
  void isServer(String id) {
    serverId = Optional.of(id);
  }

  boolean isServing() {
    return state.standing == Standing.SERVING;
  }

  /**
   * Whether it has said who it is, or cannot for a reason that only a person can remove, or has had
   * several chances.
   */
  boolean isSettled() {
    return isFinal() || vainLooks >= CHANCES;
  }

  /** Whether it serves, or cannot for a reason that only a person can remove. */
  boolean isFinal() {
    State now = state;
    return now.standing == Standing.SERVING
        || now.standing == Standing.REFUSED
        || !now.failed.kind().isTransient();
  }

  /** Why it must not vote, though it answers; null otherwise. */
  @Nullable Failed objection() {
    State now = state;
    return now.standing == Standing.REFUSED ? now.failed : null;
  }

  /** For a person: what it said last about itself, or why it said nothing. */
  Object standing() {
    State now = state;
    return now.standing == Standing.SERVING ? "serves" : now.failed;
  }

  /**
   * Asks the member for some of its locks. Whatever happens is an answer; the stage never completes
   * exceptionally.
   *
   * @param anyway ask also a member that was silent lately: without it there is no quorum
   */
  <R> CompletionStage<R> ask(
      Side side,
      Function<LockNode, CompletionStage<R>> request,
      Function<Failed, R> failing,
      boolean anyway) {
    Failed absent = absence(anyway);
    if (absent != null) {
      return CompletableFuture.completedFuture(failing.apply(absent));
    }
    LockNode locks = sides.get(side);
    return locks == null
        ? CompletableFuture.completedFuture(failing.apply(NO_SUCH_LOCKS))
        : send(() -> request.apply(locks), failing);
  }

  private <R> CompletionStage<R> send(
      Supplier<CompletionStage<R>> request, Function<Failed, R> failing) {
    Silence now = silence;
    now.asked();
    CompletionStage<R> stage;
    try {
      stage = request.get();
    } catch (RuntimeException | Error e) {
      stage = CompletableFuture.failedFuture(e);
    }
    return stage.handle(
        (reply, error) -> {
          R answer = error == null && reply != null ? reply : failing.apply(broken(error));
          members.heard();
          now.answered();
          heard(answer);
          return answer;
        });
  }

  private static Failed broken(@Nullable Throwable error) {
    // Not its message: that is the driver's, and may contain anything.
    String how = error == null ? "no answer at all" : error.getClass().getName();
    return new Failed(
        FailureKind.OTHER,
        "the provider broke its contract with " + how,
        Optional.ofNullable(error),
        List.of());
  }

  /** Why it is not asked now; null when it is. */
  private @Nullable Failed absence(boolean anyway) {
    State now = state;
    if (now.standing == Standing.SERVING) {
      long waited = silence.itsOwnNanos();
      if (waited > patienceNanos && !anyway) {
        return suspend(silent());
      }
      return silence.requests() >= FEW && waited > patienceNanos / 4
          ? new Failed(FailureKind.OVERLOADED, "it is slow, and enough requests wait for it")
          : null;
    }
    boolean silentOnly =
        now.standing == Standing.SUSPENDED && now.failed.kind() == FailureKind.TIMEOUT;
    return anyway && silentOnly && silence.requests() < FEW ? null : now.failed;
  }

  private void heard(Object answer) {
    Object said = answer instanceof List<?> many && !many.isEmpty() ? many.get(0) : answer;
    if (said instanceof ServerClock shown) {
      clock.learn(shown);
    }
    if (said instanceof Failed failed) {
      if (SUSPENDING.contains(failed.kind())) {
        suspend(failed);
      }
    } else if (state.standing == Standing.SUSPENDED) {
      lookIn(0); // it answers: all that is missing is who it is
    } else if (isServing()) {
      payDebts();
    }
  }

  /** No answer came in time for somebody's decision. */
  void timedOut() {
    if (silence.nanos() >= patienceNanos / 2) {
      suspend(silent());
    }
  }

  private Failed silent() {
    return new Failed(
        FailureKind.TIMEOUT,
        "no answer for " + silence.nanos() / 1_000_000 + " ms; it is asked in the background");
  }

  private Silence newSilence() {
    return new Silence(context.time(), members::listenedNanos);
  }

  private Failed suspend(Failed failed) {
    boolean first;
    synchronized (this) {
      first = state.standing == Standing.SERVING;
      if (first) {
        state = new State(Standing.SUSPENDED, failed);
        lookDelay = FIRST_LOOK_NANOS;
      }
    }
    if (first) {
      lookIn(0);
    }
    return failed;
  }

  /** Asks, in the background and one question at a time, who the member is. */
  void lookIn(long delayNanos) {
    synchronized (this) {
      if (closed || looking) {
        return;
      }
      if (look != null) {
        look.cancel();
      }
      look = context.scheduler().schedule(this::look, delayNanos);
    }
  }

  private void look() {
    synchronized (this) {
      if (closed || looking) {
        return;
      }
      looking = true;
      look = null;
    }
    identify();
  }

  /** Asks who the member is, and lets it serve if that is acceptable. */
  CompletionStage<IdentityReply> identify() {
    return send(node::identity, failed -> (IdentityReply) failed).thenApply(this::identified);
  }

  private IdentityReply identified(IdentityReply reply) {
    if (reply instanceof Identity identity) {
      Failed objection = members.objection(this, identity);
      if (!isServing()) {
        silence = newSilence(); // what it has not answered by now it never will
      }
      state =
          objection == null
              ? new State(Standing.SERVING, NOTHING)
              : new State(Standing.REFUSED, objection);
    } else if (reply instanceof Failed failed && failed.kind() == FailureKind.READ_ONLY) {
      state = new State(Standing.REFUSED, failed);
      members.noVote(this, failed);
    } else if (reply instanceof Failed failed && state.standing != Standing.SERVING) {
      state =
          new State(
              state.standing == Standing.UNKNOWN ? Standing.UNKNOWN : Standing.SUSPENDED, failed);
      if (!failed.kind().isTransient() && failed.kind() != FailureKind.CLOSED) {
        members.noVote(this, failed);
      }
    }
    long next;
    synchronized (this) {
      looking = false;
      vainLooks = isServing() ? 0 : vainLooks + 1;
      if (isServing()) {
        lookDelay = FIRST_LOOK_NANOS;
        next = REGULAR_LOOK_NANOS;
      } else {
        next = lookDelay;
        lookDelay = Math.min(LONGEST_LOOK_NANOS, lookDelay * 2);
      }
    }
    lookIn(next + Math.floorMod(context.random().nextLong(), next / 4));
    if (isServing()) {
      payDebts();
    }
    return reply;
  }

  /**
   * A request for a lock is about to be made for this owner, by {@link #askFor}. A release for it
   * that comes meanwhile is sent when the request has been answered: it must not overtake it.
   */
  void expect(String owner) {
    underway.begins(owner);
  }

  /** The request that was expected is over, or is not made. */
  void expectNoMore(String owner) {
    underway.ends(owner);
  }

  /**
   * An attempt has failed that this member did not answer, or may have carried out all the same. To
   * be called before its release.
   *
   * @param graceNanos for how long its answer is merely on its way
   * @param endNanos when its lock must have ended by itself
   */
  void mayHaveLeft(String name, String owner, long graceNanos, long endNanos) {
    leftovers.add(name, owner, graceNanos, endNanos);
  }

  /** This member's answer came after the attempt had failed. */
  void answeredLate(String owner, Object answer) {
    if (answer instanceof Failed failed && failed.kind().isAmbiguous()) {
      leftovers.overdue(owner);
    } else if (!(answer instanceof Granted)) {
      leftovers.gone(owner);
    }
  }

  /**
   * A member's answer to a grant. It is not known who holds the lock there where it may be an
   * earlier attempt of this client, whose release is not confirmed yet. The kind is one that leaves
   * nothing behind: this request itself was refused.
   */
  GrantReply known(String name, GrantReply reply) {
    return reply instanceof Busy && leftovers.mayBe(name)
        ? new Failed(
            FailureKind.OVERLOADED,
            "an earlier request of this client may hold the lock there, and is being released")
        : reply;
  }

  /** Asks for a lock by a grant. */
  <R> CompletionStage<R> askFor(
      Side side,
      String owner,
      Function<LockNode, CompletionStage<R>> request,
      Function<Failed, R> failing,
      boolean anyway) {
    return ask(side, request, failing, anyway)
        .whenComplete((reply, impossible) -> expectNoMore(owner));
  }

  /**
   * Hands a lock over, behind whatever gave it to its holder here: a quorum does not wait for its
   * slowest members, so that may still be under way. A member that falls far behind is passed over.
   * The holder counts as not held any more, whatever the answer: a lock that was not handed on must
   * not stay here. A transfer whose answer was lost may still arrive: so a release of the new owner
   * is sent only after that of the holder has been answered.
   */
  CompletionStage<TransferReply> handOver(Side side, TransferRequest request, boolean anyway) {
    CompletionStage<TransferReply> reply =
        underway
            .soonAfter(
                request.from(),
                () -> ask(side, to -> to.transfer(request), failed -> failed, anyway))
            .orElseGet(
                () -> {
                  expectNoMore(request.to());
                  return CompletableFuture.completedFuture(
                      new Failed(
                          FailureKind.OVERLOADED, "it is far behind with earlier hand-overs"));
                });
    return reply.thenApply(
        answer -> {
          if (answer instanceof Granted) {
            expectNoMore(request.to());
          } else {
            release(side.before(), new ReleaseRequest(request.name(), request.from()))
                .whenComplete((released, impossible) -> expectNoMore(request.to()));
          }
          return answer;
        });
  }

  /**
   * Releases, and remembers to when that cannot be done now: a member must not keep a lock until
   * its end because it was away when everybody released it.
   */
  CompletionStage<ReleaseReply> release(Side side, ReleaseRequest request) {
    releasing.incrementAndGet();
    return underway
        .after(request.owner(), () -> releaseNow(side, request))
        .whenComplete((reply, impossible) -> releasing.decrementAndGet());
  }

  /** Whether releases are under way to a member that may answer them. */
  boolean isReleasing() {
    return isServing() && releasing.get() > 0;
  }

  private CompletionStage<ReleaseReply> releaseNow(Side side, ReleaseRequest request) {
    return ask(side, to -> to.release(request), failed -> (ReleaseReply) failed, members.areFew())
        .thenApply(
            reply -> {
              if (!(reply instanceof Failed)) {
                leftovers.gone(request.owner());
              }
              if (reply instanceof Failed failed && failed.kind().isTransient()) {
                debts.add(new Debts.Debt(side, request));
                if (isServing()) {
                  lookIn(FIRST_LOOK_NANOS); // so that there will be an answer
                }
              }
              return reply;
            });
  }

  private void payDebts() {
    debts.take().forEach(debt -> release(debt.side(), debt.request()));
  }

  /** Asks for a service that the node offers beside its own methods, where that may block. */
  <C, R> CompletionStage<R> service(
      Class<C> kind, Function<C, CompletionStage<R>> request, Function<Failed, R> failing) {
    Optional<C> offered = raw.offer(kind);
    if (offered.isEmpty()) {
      return CompletableFuture.completedFuture(
          failing.apply(new Failed(FailureKind.OTHER, "does not offer " + kind.getSimpleName())));
    }
    return send(() -> away(() -> request.apply(offered.get())), failing);
  }

  /** On a thread of its own, if the node blocks. */
  private <R> CompletionStage<R> away(Supplier<CompletionStage<R>> request) {
    Executor threads = executor;
    return threads == null
        ? request.get()
        : CompletableFuture.supplyAsync(request, threads).thenCompose(stage -> stage);
  }

  /** Asks which locks are held. That takes its time, and is not held against the member. */
  CompletionStage<ListReply> list(String pattern, int limit) {
    Failed absent = absence(true);
    Optional<LockListing> listing = raw.offer(LockListing.class);
    if (absent != null || listing.isEmpty()) {
      return CompletableFuture.completedFuture(absent != null ? absent : NO_SUCH_LOCKS);
    }
    CompletionStage<ListReply> stage;
    try {
      stage = away(() -> listing.get().list(pattern, limit));
    } catch (RuntimeException | Error e) {
      stage = CompletableFuture.failedFuture(e);
    }
    return stage.handle((reply, error) -> error == null && reply != null ? reply : broken(error));
  }

  void close() {
    synchronized (this) {
      closed = true;
      if (look != null) {
        look.cancel();
        look = null;
      }
    }
    QuorumNode.closeQuietly(raw);
  }

  @Override
  public String toString() {
    return label() + " " + state.standing;
  }
}
