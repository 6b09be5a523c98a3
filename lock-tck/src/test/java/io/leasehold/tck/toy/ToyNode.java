package io.leasehold.tck.toy;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A client's connection to the toy. */
final class ToyNode implements LockNode, ForcedRelease {
  private final Toy toy;
  private final Scheduler scheduler;
  private final String label;
  private final Identity.Role role;
  private final long timeoutNanos;
  private final Duration retention;
  private final boolean impostor;
  private final Waiters.Client self = new Waiters.Client();
  private volatile boolean closed;

  ToyNode(Toy toy, LockUrl url, ProviderContext context) {
    this.toy = toy;
    this.scheduler = context.scheduler();
    this.label = "toy " + url.hosts().get(0);
    this.role =
        url.hosts().get(0).host().equals("replica") ? Identity.Role.REPLICA : Identity.Role.PRIMARY;
    this.impostor = url.hosts().get(0).host().equals(Toy.IMPOSTOR);
    this.timeoutNanos = url.get(Options.COMMAND_TIMEOUT).toNanos();
    this.retention = url.get(Options.FENCE_RETENTION);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return serve(() -> toy.server().grant(request, self, retention), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return serve(() -> toy.server().raise(request, retention), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return serve(() -> toy.server().release(request), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return serve(
        () -> requests.stream().map(toy.server()::extend).toList(),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return serve(() -> toy.server().transfer(request, retention), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return serve(() -> toy.server().inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return serve(
        () -> {
          toy.server().waiters().watch(name, self, wake);
          return new Watching(() -> toy.server().waiters().unwatch(name, self));
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    if (impostor) {
      return failed(failed -> failed, FailureKind.UNREACHABLE, "the certificate is another host's");
    }
    return serve(
        () -> new Identity("process-" + toy.state().process(), role, toy.server().nowMicros()),
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return serve(() -> toy.server().forceRelease(name), failed -> failed);
  }

  /** Carries a request out now, or when the server answers again; then its reply is too late. */
  private <R> CompletionStage<R> serve(Supplier<R> work, Function<Failed, R> failing) {
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
    return EnumSet.of(
        Capability.FENCING, Capability.TRANSFER, Capability.WAKE_UPS, Capability.FORCED_RELEASE);
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
    toy.server().waiters().unwatchAll(self);
  }

  @Override
  public String toString() {
    return label;
  }
}
