package io.leasehold.spi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node that answers what it was told to, and does as it is asked where it was told nothing. */
final class ScriptedNode implements LockNode {
  private final Map<String, Deque<CompletionStage<?>>> script = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final Map<String, Runnable> watched = new HashMap<>();
  private final boolean blocking;

  ScriptedNode(boolean blocking) {
    this.blocking = blocking;
  }

  /** The next request of this kind, such as {@code grant b}, is answered so. */
  ScriptedNode answers(String request, Object reply) {
    return answersLater(request, CompletableFuture.completedFuture(reply));
  }

  ScriptedNode answersLater(String request, CompletionStage<?> reply) {
    script.computeIfAbsent(request, r -> new ArrayDeque<>()).add(reply);
    return this;
  }

  /** What it was asked, in order. */
  List<String> asked() {
    return asked;
  }

  /** The locks that are watched. */
  Set<String> watched() {
    return watched.keySet();
  }

  /** A release picks this client. */
  void wake(String name) {
    Runnable wake = watched.get(name);
    if (wake == null) {
      throw new AssertionError(name + " is not watched");
    }
    wake.run();
  }

  @SuppressWarnings("unchecked") // a script that answers with another kind fails its test
  private <R> CompletionStage<R> answer(String request, R otherwise) {
    asked.add(request);
    Deque<CompletionStage<?>> answers = script.get(request);
    return answers == null || answers.isEmpty()
        ? CompletableFuture.completedFuture(otherwise)
        : (CompletionStage<R>) answers.remove();
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer("grant " + request.name(), new Granted(request.proposal(), 1));
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer("raise " + request.name() + " " + request.token(), new Raised(1));
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer("release " + request.name(), new Released(1));
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    List<ExtendReply> replies = new ArrayList<>();
    for (ExtendRequest request : requests) {
      String text = "extend " + request.name() + " of " + request.owner();
      replies.add(this.<ExtendReply>answer(text, new Extended(1)).toCompletableFuture().join());
    }
    return CompletableFuture.completedFuture(replies);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    throw new AssertionError("nobody hands over");
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    throw new AssertionError("nobody inspects");
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    watched.put(name, wake);
    return answer("watch " + name, new Watching(() -> watched.remove(name)));
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return CompletableFuture.completedFuture(new Identity("scripted", Identity.Role.PRIMARY, 1));
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.FENCING, Capability.WAKE_UPS, Capability.TRANSFER, Capability.SEVERAL);
  }

  @Override
  public boolean blocking() {
    return blocking;
  }

  @Override
  public String label() {
    return "scripted";
  }

  @Override
  public void close() {}
}
