package io.leasehold.provider.redlock;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** One client's way to a server, and what happens on it. */
final class SimulatedNode implements LockNode, ReadWriteLocks, LockListing {

  /** What happens to a request. */
  interface Wire {

    /** Carries it out, and gives back the answer, now, later or never. */
    <R> CompletionStage<R> carry(
        String operation, Supplier<R> request, Function<Failed, R> failing);
  }

  /** Carries everything out at once. */
  static final Wire PERFECT =
      new Wire() {
        @Override
        public <R> CompletionStage<R> carry(
            String operation, Supplier<R> request, Function<Failed, R> failing) {
          return CompletableFuture.completedFuture(request.get());
        }
      };

  private final SimulatedServer server;
  private final SimulatedLocks locks;
  private final SimulatedNode way; // itself, or the node that this is a side of
  private final String prefix;
  private final String label;
  private final List<String> carried = new ArrayList<>();
  private final List<Runnable> wakes = new ArrayList<>();
  private Wire wire = PERFECT;
  private boolean closed;
  private boolean plain;

  SimulatedNode(String label, SimulatedServer server) {
    this.label = label;
    this.server = server;
    this.locks = server;
    this.way = this;
    this.prefix = "";
  }

  private SimulatedNode(SimulatedNode way, SimulatedLocks locks, String prefix) {
    this.label = way.label;
    this.server = way.server;
    this.locks = locks;
    this.way = way;
    this.prefix = prefix;
  }

  /** It has no other locks than plain ones, and does nothing else. */
  SimulatedNode plain() {
    plain = true;
    return this;
  }

  @Override
  public LockNode readers() {
    return new SimulatedNode(this, server.readWrite().readers(), "readers ");
  }

  @Override
  public LockNode writers() {
    return new SimulatedNode(this, server.readWrite().writers(), "writers ");
  }

  SimulatedServer server() {
    return server;
  }

  void wire(Wire value) {
    wire = value;
  }

  /** Every request fails so. */
  void failing(FailureKind kind) {
    wire =
        new Wire() {
          @Override
          public <R> CompletionStage<R> carry(
              String operation, Supplier<R> request, Function<Failed, R> failing) {
            return CompletableFuture.completedFuture(failing.apply(new Failed(kind, "simulated")));
          }
        };
  }

  /** Requests arrive nowhere, and are never answered. */
  void swallowing() {
    wire =
        new Wire() {
          @Override
          public <R> CompletionStage<R> carry(
              String operation, Supplier<R> request, Function<Failed, R> failing) {
            return new CompletableFuture<>();
          }
        };
  }

  /** Requests of one kind wait, and are carried out when the runnables are run; others go on. */
  List<Runnable> holding(String held) {
    List<Runnable> waiting = new ArrayList<>();
    wire =
        new Wire() {
          @Override
          public <R> CompletionStage<R> carry(
              String operation, Supplier<R> request, Function<Failed, R> failing) {
            if (!operation.equals(held)) {
              return CompletableFuture.completedFuture(request.get());
            }
            CompletableFuture<R> reply = new CompletableFuture<>();
            waiting.add(() -> reply.complete(request.get()));
            return reply;
          }
        };
    return waiting;
  }

  /** Requests of one kind are carried out, and fail when the runnables are run; others go on. */
  List<Runnable> losing(String lost) {
    List<Runnable> waiting = new ArrayList<>();
    wire =
        new Wire() {
          @Override
          public <R> CompletionStage<R> carry(
              String operation, Supplier<R> request, Function<Failed, R> failing) {
            R carriedOut = request.get();
            if (!operation.equals(lost)) {
              return CompletableFuture.completedFuture(carriedOut);
            }
            CompletableFuture<R> reply = new CompletableFuture<>();
            waiting.add(
                () ->
                    reply.complete(
                        failing.apply(new Failed(FailureKind.CONNECTION_LOST, "simulated"))));
            return reply;
          }
        };
    return waiting;
  }

  /** The operations that were asked for, in order; who the server is aside. */
  List<String> asked() {
    return carried.stream().filter(operation -> !operation.equals("identity")).toList();
  }

  void forgetAsked() {
    carried.clear();
  }

  /** A release here picks this client. */
  void wakeUp() {
    List.copyOf(wakes).forEach(Runnable::run);
  }

  int watches() {
    return wakes.size();
  }

  boolean isClosed() {
    return closed;
  }

  private <R> CompletionStage<R> carry(
      String operation, Supplier<R> request, Function<Failed, R> failing) {
    String whole = prefix + operation;
    way.carried.add(whole);
    return way.wire.carry(whole, request, failing);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return carry("grant", () -> locks.grant(request), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return carry("raise", () -> locks.raise(request), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return carry("release", () -> locks.release(request.name(), request.owner()), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return carry(
        "extend",
        () -> requests.stream().map(locks::extend).toList(),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return carry("transfer", () -> locks.transfer(request), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return carry("inspect", () -> locks.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return carry(
        "watch",
        () -> {
          way.wakes.add(wake);
          Watch watch = () -> way.wakes.remove(wake);
          return new Watching(watch);
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return carry("identity", server::identity, failed -> failed);
  }

  @Override
  public Set<Capability> capabilities() {
    return locks == server && !plain
        ? Set.of(
            Capability.FENCING,
            Capability.TRANSFER,
            Capability.WAKE_UPS,
            Capability.FAIRNESS,
            Capability.READ_WRITE,
            Capability.SEMAPHORES,
            Capability.LISTING)
        : Set.of(Capability.FENCING, Capability.WAKE_UPS);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return locks == server && !plain ? LockNode.super.offer(kind) : Optional.empty();
  }

  /** Of the names without a pattern. */
  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    return carry(
        "list",
        () -> {
          List<String> held = server.held();
          return new Listed(held.stream().limit(limit).toList(), held.size() <= limit);
        },
        failed -> failed);
  }

  @Override
  public void close() {
    closed = true;
  }
}
