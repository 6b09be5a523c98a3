package io.leasehold.tck.toy;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.Findings;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import io.leasehold.tck.toy.ToyCrowd.Side;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A client's connection to the toy. */
final class ToyNode
    implements LockNode,
        FairLine,
        ForcedRelease,
        Vouching,
        Findings,
        ReadWriteLocks,
        Semaphores,
        SeveralLocks,
        LockListing {
  private final Toy toy;
  private final ToyServer server;
  private final Scheduler scheduler;
  private final String label;
  private final Identity.Role role;
  private final long timeoutNanos;
  private final Duration retention;
  private final boolean impostor;
  private final boolean evicting;
  private final long quarantineMillis;
  private final Map<String, Finding> findings = new ConcurrentHashMap<>();
  private final Waiters.Client self = new Waiters.Client();
  private final Object reader = new Object();
  private final Object writer = new Object();
  private final Object user = new Object();
  private volatile boolean closed;

  ToyNode(Toy toy, LockUrl url, ProviderContext context) {
    this.toy = toy;
    this.scheduler = context.scheduler();
    this.label = "toy " + url.hosts().get(0);
    this.role =
        url.hosts().get(0).host().equals("replica") ? Identity.Role.REPLICA : Identity.Role.PRIMARY;
    this.server = role == Identity.Role.REPLICA ? toy.replica() : toy.server();
    this.impostor = url.hosts().get(0).host().equals(Toy.IMPOSTOR);
    this.timeoutNanos = url.get(Options.COMMAND_TIMEOUT).toNanos();
    this.retention = url.get(Options.FENCE_RETENTION);
    this.evicting = url.hosts().get(0).host().equals(Toy.EVICTING);
    this.quarantineMillis =
        url.given(Options.GUARD).orElse(toy.isGuarded())
            ? url.get(Options.MAX_LEASE).plusSeconds(1).toMillis()
            : ToyGuard.OFF;
    if (evicting) {
      note(Toy.MAY_EVICT, "this server may drop locks: give it more memory");
    }
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return serve(
        () -> {
          if (evicting) {
            server.erase(request.name()); // there was no room for both
          }
          return noted(server.grant(request, self, retention, quarantineMillis));
        },
        failed -> failed);
  }

  private GrantReply noted(GrantReply reply) {
    long longest = server.guard().longestMillis();
    if (reply instanceof Granted && isGuarded() && longest > quarantineMillis) {
      note(Toy.LONGER_LEASES, "others ask for a quarantine of " + longest + " ms: agree on one");
    }
    return reply;
  }

  private void note(String id, String text) {
    findings.putIfAbsent(id, new Finding(id, text));
  }

  private boolean isGuarded() {
    return quarantineMillis != ToyGuard.OFF;
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return serve(() -> server.raise(request, retention, quarantineMillis), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return serve(() -> server.release(request, self), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return serve(
        () -> requests.stream().map(server::extend).toList(),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return serve(
        () -> server.transfer(request, self, retention, quarantineMillis), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return serve(() -> server.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return serve(
        () -> {
          server.waiters().watch(name, self, wake);
          return new Watching(() -> server.unwatch(name, self, wake));
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    if (impostor) {
      return failed(failed -> failed, FailureKind.UNREACHABLE, "the certificate is another host's");
    }
    if (evicting && isGuarded()) {
      return failed(failed -> failed, FailureKind.UNSAFE, "the server may drop locks");
    }
    return serve(
        () -> new Identity(toy.name() + "-" + toy.state().process(), role, server.nowMicros()),
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return serve(() -> server.forceRelease(name), failed -> failed);
  }

  @Override
  public CompletionStage<LeaveReply> leave(String name, String place) {
    return serve(() -> server.leave(name, self, place), failed -> failed);
  }

  @Override
  public LockNode readers() {
    return new ToyCrowds(this, server, Side.READERS, 0, retention, reader);
  }

  @Override
  public LockNode writers() {
    return new ToyCrowds(this, server, Side.WRITERS, 0, retention, writer);
  }

  @Override
  public LockNode permits(int permits) {
    return new ToyCrowds(this, server, Side.PERMITS, permits, retention, user);
  }

  @Override
  public LockNode all(List<String> names) {
    return new OrderedLocks(this, names);
  }

  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    return serve(
        () -> {
          List<String> all = server.held(pattern);
          boolean complete = all.size() <= limit;
          return new Listed(complete ? all : all.subList(0, limit), complete);
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    return serve(
        () -> {
          server.guard().vouch(quarantineMillis);
          return new Vouched(server.nowMicros());
        },
        failed -> failed);
  }

  @Override
  public List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return kind == Vouching.class && !isGuarded() ? Optional.empty() : LockNode.super.offer(kind);
  }

  /** Carries a request out now, or when the server answers again; then its reply is too late. */
  <R> CompletionStage<R> serve(Supplier<R> work, Function<Failed, R> failing) {
    if (closed) {
      return failed(failing, FailureKind.CLOSED, "the node is closed");
    }
    if (toy.state().isDead()) {
      return failed(failing, FailureKind.UNREACHABLE, "the server is dead");
    }
    CompletableFuture<R> reply = new CompletableFuture<>();
    if (toy.state().keep(() -> reply.complete(work.get()))) {
      Failed timeout = new Failed(FailureKind.TIMEOUT, "the server does not answer");
      scheduler.schedule(() -> reply.complete(failing.apply(timeout)), timeoutNanos);
      return reply;
    }
    return CompletableFuture.completedFuture(work.get());
  }

  private static <R> CompletionStage<R> failed(
      Function<Failed, R> failing, FailureKind kind, String message) {
    return CompletableFuture.completedFuture(failing.apply(new Failed(kind, message)));
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all =
        EnumSet.of(
            Capability.FENCING,
            Capability.TRANSFER,
            Capability.WAKE_UPS,
            Capability.FAIRNESS,
            Capability.FORCED_RELEASE,
            Capability.READ_WRITE,
            Capability.SEMAPHORES,
            Capability.SEVERAL,
            Capability.LISTING);
    if (isGuarded()) {
      all.add(Capability.GUARD);
    }
    return all;
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
  public void close() {
    closed = true;
    server.gone(self);
  }

  @Override
  public String toString() {
    return label;
  }
}
