package io.leasehold.tck.toy;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import io.leasehold.tck.toy.ToyCrowd.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A client's view of one side of the locks that several can hold. */
final class ToyCrowds implements LockNode {
  private final ToyNode node;
  private final ToyServer server;
  private final Side side;
  private final int permits;
  private final Duration retention;

  /** Who this client is on this side. */
  private final Object self;

  ToyCrowds(
      ToyNode node, ToyServer server, Side side, int permits, Duration retention, Object self) {
    this.node = node;
    this.server = server;
    this.side = side;
    this.permits = permits;
    this.retention = retention;
    this.self = self;
  }

  private ToyCrowd crowd(String name) {
    return server.crowd((side == Side.PERMITS ? "permits " : "read-write ") + name);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return node.serve(() -> granted(request), failed -> failed);
  }

  private GrantReply granted(GrantRequest request) {
    synchronized (server) {
      long now = server.nowMicros();
      if (now > request.notAfter()) {
        return new Expired(now);
      }
      ToyCrowd crowd = crowd(request.name());
      long until = crowd.keptOutUntil(side, request.owner(), self, permits, now);
      if (until > now) {
        if (request.queueing() == Queueing.WAKE) {
          crowd.waits(side, self, now);
        }
        return new Busy((until - now + 999) / 1_000, now);
      }
      crowd.comes(side, request.owner(), self, now + request.ttlMillis() * 1_000);
      return granted(request.name(), request.proposal(), crowd, now);
    }
  }

  private Granted granted(String name, long proposal, ToyCrowd crowd, long now) {
    boolean own = side == Side.PERMITS || !server.crowdRules().tokensAreShared();
    String fence = "leasehold:" + (own ? side : "read-write") + ":" + name;
    long token = server.nextToken(fence, proposal, retention);
    return new Granted(token, now, 1, List.of(), crowd.waiters(side));
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return node.serve(() -> new Raised(server.nowMicros()), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return node.serve(() -> released(request), failed -> failed);
  }

  private ReleaseReply released(ReleaseRequest request) {
    List<Runnable> wakeUps;
    synchronized (server) {
      long now = server.nowMicros();
      if (!crowd(request.name()).ends(side, request.owner(), now)) {
        return new NotHeld(NotHeld.Cause.ABSENT, now);
      }
      wakeUps = crowd(request.name()).wakeUps();
    }
    wakeUps.forEach(Runnable::run);
    return new Released(server.nowMicros(), !wakeUps.isEmpty());
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return node.serve(
        () -> requests.stream().map(this::extended).toList(),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  private ExtendReply extended(ExtendRequest request) {
    synchronized (server) {
      long now = server.nowMicros();
      long end = now + request.ttlMillis() * 1_000;
      return crowd(request.name()).extend(side, request.owner(), end, now)
          ? new Extended(now)
          : new NotHeld(NotHeld.Cause.ABSENT, now);
    }
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return node.serve(() -> downgraded(request), failed -> failed);
  }

  private TransferReply downgraded(TransferRequest request) {
    TransferReply reply;
    List<Runnable> wakeUps;
    synchronized (server) {
      long now = server.nowMicros();
      ToyCrowd crowd = crowd(request.name());
      long end = now + request.ttlMillis() * 1_000;
      if (!crowd.downgrade(request.from(), request.to(), end, now)) {
        return new NotHeld(NotHeld.Cause.ABSENT, now);
      }
      reply = granted(request.name(), request.proposal(), crowd, now);
      wakeUps = crowd.wakeUps();
    }
    wakeUps.forEach(Runnable::run);
    return reply;
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return node.serve(
        () -> {
          synchronized (server) {
            long now = server.nowMicros();
            Map<String, Long> holders = crowd(name).holders(side, now);
            List<Inspection.Holder> all =
                holders.entrySet().stream()
                    .map(h -> new Inspection.Holder(h.getKey(), (h.getValue() - now) / 1_000))
                    .toList();
            return new Inspection(all, 0, crowd(name).waiters(side), now);
          }
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return node.serve(
        () -> {
          synchronized (server) {
            crowd(name).hear(self, wake);
          }
          return new Watching(() -> unwatch(name, wake));
        },
        failed -> failed);
  }

  private void unwatch(String name, Runnable wake) {
    List<Runnable> wakeUps;
    synchronized (server) {
      crowd(name).forget(self, wake);
      wakeUps = crowd(name).wakeUps();
    }
    wakeUps.forEach(Runnable::run);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return node.identity();
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.FENCING, Capability.WAKE_UPS);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String label() {
    return node.label();
  }

  /** Does nothing: a view ends with its node. */
  @Override
  public void close() {}
}
