package io.leasehold.engine;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A node that answers what a test tells it to, and remembers what it was asked. */
final class ScriptedNode implements LockNode {
  final List<GrantRequest> grants = new CopyOnWriteArrayList<>();
  final List<ReleaseRequest> releases = new CopyOnWriteArrayList<>();
  final List<List<ExtendRequest>> extensions = new CopyOnWriteArrayList<>();
  final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  volatile Function<GrantRequest, CompletionStage<GrantReply>> onGrant;
  volatile Function<ExtendRequest, ExtendReply> onExtend;
  volatile Function<ReleaseRequest, CompletionStage<ReleaseReply>> onRelease;
  volatile Set<Capability> capabilities = Set.of(Capability.FENCING);
  volatile boolean silentExtend;
  private final TimeSource time;
  private long token = 100;

  ScriptedNode(TimeSource time) {
    this.time = time;
    this.onGrant = request -> done(granted());
    this.onExtend = request -> new Extended(micros());
    this.onRelease = request -> done(new Released(micros()));
  }

  static <R> CompletionStage<R> done(R reply) {
    return CompletableFuture.completedFuture(reply);
  }

  long micros() {
    return 5_000_000_000L + time.monotonicNanos() / 1_000;
  }

  synchronized Granted granted() {
    return new Granted(++token, micros());
  }

  Busy busy(long remainingMillis) {
    return new Busy(remainingMillis, micros());
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    grants.add(request);
    return onGrant.apply(request);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return done(new Refused(0, micros()));
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    releases.add(request);
    return onRelease.apply(request);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    extensions.add(List.copyOf(requests));
    if (silentExtend) {
      return new CompletableFuture<>();
    }
    List<ExtendReply> replies = new ArrayList<>();
    requests.forEach(request -> replies.add(onExtend.apply(request)));
    return done(replies);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return done(granted());
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return done(new Inspection(Optional.empty(), 0, 0, micros()));
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    watchers.add(wake);
    return done(new Watching(() -> watchers.remove(wake)));
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return done(new Identity("scripted", Identity.Role.PRIMARY, micros()));
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
    return "scripted";
  }

  @Override
  public void close() {}
}
