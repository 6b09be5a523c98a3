package io.leasehold.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Several locks of any node at once: asked for one by one, in the order of their names, whatever
 * the order in which they were given. When one is refused, those before it are given back, and only
 * then is that answered: nobody waits while it holds a part, so sets that overlap cannot lock each
 * other out; and because everybody begins with the same lock, most who meet do so there.
 *
 * <p>All of it must fit between the request and its {@link GrantRequest#notAfter()}: what is asked
 * for later is {@link Expired}, and given back.
 *
 * <p>For nodes that cannot give them in one step: a quorum, or a cluster whose servers share them.
 */
public final class OrderedLocks implements LockNode {
  private static final Set<Capability> POSSIBLE =
      Set.of(Capability.FENCING, Capability.WAKE_UPS, Capability.GUARD);

  private final LockNode node;
  private final List<String> names;
  private final Set<Capability> capabilities;

  /** Locks that were released for this client to take, and that it has not asked for since. */
  private final Set<String> wokenFor;

  /**
   * As {@link SeveralLocks#all}, for a client that has no other such view of this node; see {@link
   * #of}.
   *
   * @throws IllegalArgumentException for no names, or for too many
   */
  public OrderedLocks(LockNode node, List<String> names) {
    this(node, names, ConcurrentHashMap.newKeySet());
  }

  private OrderedLocks(LockNode node, List<String> names, Set<String> wokenFor) {
    this.node = node;
    this.names = List.copyOf(new TreeSet<>(names));
    this.wokenFor = wokenFor;
    if (this.names.isEmpty() || this.names.size() > SeveralLocks.MOST_LOCKS) {
      throw new IllegalArgumentException(
          this.names.size() + " locks, not 1 to " + SeveralLocks.MOST_LOCKS);
    }
    this.capabilities =
        node.capabilities().stream()
            .filter(POSSIBLE::contains)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Several locks of this node at once. All of its views know together what the client was woken
   * for: who watches and who then asks need not have the same one.
   */
  public static SeveralLocks of(LockNode node) {
    Set<String> wokenFor = ConcurrentHashMap.newKeySet();
    return names -> new OrderedLocks(node, names, wokenFor);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return grant(request, 0, new ArrayList<>());
  }

  private CompletionStage<GrantReply> grant(GrantRequest request, int index, List<Granted> before) {
    if (index == names.size()) {
      return granted(request.owner(), before);
    }
    String name = names.get(index);
    wokenFor.remove(name);
    return node.grant(one(request, name, request.queueing()))
        .thenCompose(
            reply -> {
              if (reply instanceof Granted granted) {
                before.add(granted);
                return grant(request, index + 1, before);
              }
              return giveBack(request.owner(), isAmbiguous(reply) ? index + 1 : index, reply)
                  .thenCompose(answer -> passOn(request, index + 1, answer));
            });
  }

  private static GrantRequest one(GrantRequest request, String name, Queueing queueing) {
    return new GrantRequest(
        name,
        request.owner(),
        request.ttlMillis(),
        request.proposal(),
        request.notAfter(),
        queueing);
  }

  /**
   * All of them are the owner's; usually with the same token, because all had one proposal. If not,
   * the one that they get is not behind the clock: a proposal that was far behind gave tokens that
   * are at the very end of what a server still takes, and none of them could be raised to the next.
   */
  private CompletionStage<GrantReply> granted(String owner, List<Granted> grants) {
    Granted last = grants.get(grants.size() - 1);
    boolean differ = grants.stream().mapToLong(Granted::token).distinct().count() > 1;
    long token =
        grants.stream()
            .mapToLong(
                granted ->
                    differ ? Math.max(granted.token(), granted.serverMicros()) : granted.token())
            .max()
            .orElseThrow();
    CompletionStage<GrantReply> all =
        CompletableFuture.completedStage(
            new Granted(
                token,
                last.serverMicros(),
                grants.stream().mapToInt(Granted::rounds).max().orElseThrow(),
                last.answers(),
                grants.stream().mapToInt(Granted::othersWaiting).max().orElseThrow()));
    for (int i = 0; i < grants.size(); i++) {
      if (grants.get(i).token() < token) {
        RaiseRequest raise = new RaiseRequest(names.get(i), owner, token);
        all = all.thenCompose(reply -> raised(reply, raise));
      }
    }
    return all.thenCompose(
        reply ->
            reply instanceof Granted
                ? CompletableFuture.completedStage(reply)
                : giveBack(owner, names.size(), reply));
  }

  private CompletionStage<GrantReply> raised(GrantReply before, RaiseRequest request) {
    if (!(before instanceof Granted)) {
      return CompletableFuture.completedStage(before);
    }
    return node.raise(request)
        .thenApply(
            reply -> {
              if (reply instanceof Raised) {
                return before;
              }
              if (reply instanceof Guarded guarded) {
                return guarded;
              }
              return reply instanceof Failed failed
                  ? failed
                  : new Failed(
                      FailureKind.TIMEOUT,
                      "the locks have no token in common: one of them ended too early, or the"
                          + " clocks of their servers differ by seconds");
            });
  }

  /** Gives the first so many back, waits for that, and then answers. */
  private CompletionStage<GrantReply> giveBack(String owner, int count, GrantReply answer) {
    CompletionStage<GrantReply> all = CompletableFuture.completedStage(answer);
    for (String name : names.subList(0, count)) {
      CompletionStage<ReleaseReply> release = node.release(new ReleaseRequest(name, owner));
      all = all.thenCombine(release, OrderedLocks::givenBack);
      if (node.blocking() && release.toCompletableFuture().getNow(null) instanceof Failed) {
        break; // it would let the caller wait once for each lock, and the answer is clear
      }
    }
    return all;
  }

  /** What could not be given back may be held: the one who asked must know. */
  private static GrantReply givenBack(GrantReply reply, ReleaseReply released) {
    if (!(released instanceof Failed failed) || isAmbiguous(reply)) {
      return reply;
    }
    return failed.kind() == FailureKind.CLOSED
        ? failed
        : new Failed(
            FailureKind.TIMEOUT,
            "some of the locks could not be given back: " + failed.message(),
            failed.cause(),
            failed.answers());
  }

  private static boolean isAmbiguous(GrantReply reply) {
    return reply instanceof Failed failed && failed.kind().isAmbiguous();
  }

  /**
   * A lock behind the one that was refused may have been released for us: nobody else was told. To
   * take it and to give it back tells the next one who waits for it, if it is still free.
   */
  private CompletionStage<GrantReply> passOn(GrantRequest request, int from, GrantReply answer) {
    CompletionStage<GrantReply> all = CompletableFuture.completedStage(answer);
    for (String name : names.subList(from, names.size())) {
      if (answer instanceof Busy && wokenFor.remove(name)) {
        all = all.thenCompose(reply -> passOn(request, name, reply));
      }
    }
    return all;
  }

  private CompletionStage<GrantReply> passOn(GrantRequest request, String name, GrantReply answer) {
    return node.grant(one(request, name, Queueing.NONE))
        .thenCompose(
            reply ->
                reply instanceof Granted || isAmbiguous(reply)
                    ? node.release(new ReleaseRequest(name, request.owner()))
                        .thenApply(released -> givenBack(answer, released))
                    : CompletableFuture.completedStage(answer));
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return each(
        name -> node.raise(new RaiseRequest(name, request.owner(), request.token())),
        (before, next) -> before instanceof Raised ? next : before);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return each(
        name -> node.release(new ReleaseRequest(name, request.owner(), request.yielding())),
        OrderedLocks::worse);
  }

  /** A failure above all: what was not released must be released again. */
  private static ReleaseReply worse(ReleaseReply before, ReleaseReply next) {
    if (before instanceof Failed || next instanceof Failed) {
      return before instanceof Failed ? before : next;
    }
    if (before instanceof Released one && next instanceof Released other) {
      return new Released(other.serverMicros(), one.wokeAnother() || other.wokeAnother());
    }
    return before instanceof NotHeld ? before : next;
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    List<ExtendRequest> single =
        requests.stream()
            .flatMap(
                request ->
                    names.stream()
                        .map(name -> new ExtendRequest(name, request.owner(), request.ttlMillis())))
            .toList();
    return node.extend(single)
        .thenApply(
            replies -> {
              List<ExtendReply> answers = new ArrayList<>(requests.size());
              for (int i = 0; i < requests.size(); i++) {
                answers.add(worst(replies.subList(i * names.size(), (i + 1) * names.size())));
              }
              return answers;
            });
  }

  /** A lock that is lost is the loss of all; one of which nothing is known may be held. */
  private static ExtendReply worst(List<ExtendReply> replies) {
    ExtendReply worst = replies.get(0);
    for (ExtendReply reply : replies) {
      if (reply instanceof NotHeld) {
        return reply;
      }
      worst = reply instanceof Failed ? reply : worst;
    }
    return worst;
  }

  /** Asks about each lock, all at the same time, and makes one answer of two. */
  private <R> CompletionStage<R> each(
      Function<String, CompletionStage<R>> ask, BinaryOperator<R> together) {
    CompletionStage<R> all = ask.apply(names.get(0));
    for (String name : names.subList(1, names.size())) {
      all = all.thenCombine(ask.apply(name), together);
    }
    return all;
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedStage(unsupported());
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return CompletableFuture.completedStage(unsupported());
  }

  private static Failed unsupported() {
    return new Failed(FailureKind.OTHER, "not served for several locks at once");
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    CompletionStage<List<WatchReply>> all = CompletableFuture.completedStage(List.of());
    for (String each : names) {
      all =
          all.thenCombine(
              node.watch(each, () -> woken(each, wake)),
              (before, next) -> {
                List<WatchReply> more = new ArrayList<>(before);
                more.add(next);
                return more;
              });
    }
    return all.thenApply(this::together);
  }

  private void woken(String name, Runnable wake) {
    wokenFor.add(name);
    wake.run();
  }

  private WatchReply together(List<WatchReply> replies) {
    List<Watch> watches = new ArrayList<>();
    Optional<WatchReply> failed = Optional.empty();
    for (WatchReply reply : replies) {
      if (reply instanceof Watching watching) {
        watches.add(watching.watch());
      } else {
        failed = Optional.of(reply);
      }
    }
    if (failed.isPresent()) {
      watches.forEach(Watch::close);
      return failed.get();
    }
    return new Watching(
        () -> {
          watches.forEach(Watch::close);
          names.forEach(wokenFor::remove); // nobody will ask
        });
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return node.identity();
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public boolean blocking() {
    return node.blocking();
  }

  @Override
  public String label() {
    return node.label();
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return Optional.empty();
  }

  /** Does nothing: a view ends with its node. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "OrderedLocks[" + names + " on " + node.label() + "]";
  }
}
