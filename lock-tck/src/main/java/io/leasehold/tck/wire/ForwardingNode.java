package io.leasehold.tck.wire;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Passes everything on. A subclass overrides single requests, or {@link #through}, by which all of
 * them go; and {@link #around}, if it does the same to further kinds of lock.
 */
public class ForwardingNode implements LockNode {
  private final LockNode node;

  /** Passes on to a node. */
  protected ForwardingNode(LockNode node) {
    this.node = node;
  }

  /** The node behind this one. */
  protected final LockNode node() {
    return node;
  }

  /**
   * Sends a request on.
   *
   * @param operation what is asked
   * @param send sends it and gives the stage of its answer; may be called not at all, or often
   * @param failing the answer that stands for a failure
   */
  protected <R> CompletionStage<R> through(
      Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return send.get();
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return through(Operation.GRANT, () -> node.grant(request), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return through(Operation.RAISE, () -> node.raise(request), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return through(Operation.RELEASE, () -> node.release(request), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return through(
        Operation.EXTEND,
        () -> node.extend(requests),
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return through(Operation.TRANSFER, () -> node.transfer(request), failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return through(Operation.INSPECT, () -> node.inspect(name), failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return through(Operation.WATCH, () -> node.watch(name, wake), failed -> failed);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return through(Operation.IDENTITY, node::identity, failed -> failed);
  }

  @Override
  public Set<Capability> capabilities() {
    return node.capabilities();
  }

  @Override
  public boolean blocking() {
    return node.blocking();
  }

  @Override
  public String label() {
    return node.label();
  }

  /** Puts something around a further kind of lock that the node offers; nothing unless told. */
  protected LockNode around(LockNode view) {
    return view;
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    return node.offer(kind).map(offered -> kind.cast(forwarding(kind, offered)));
  }

  private Object forwarding(Class<?> kind, Object offered) {
    if (kind == ReadWriteLocks.class) {
      return forwarding((ReadWriteLocks) offered);
    }
    if (kind == Semaphores.class) {
      return (Semaphores) permits -> around(((Semaphores) offered).permits(permits));
    }
    if (kind == SeveralLocks.class) {
      return (SeveralLocks) names -> around(((SeveralLocks) offered).all(names));
    }
    return offered;
  }

  private ReadWriteLocks forwarding(ReadWriteLocks locks) {
    return new ReadWriteLocks() {
      @Override
      public LockNode readers() {
        return around(locks.readers());
      }

      @Override
      public LockNode writers() {
        return around(locks.writers());
      }
    };
  }

  @Override
  public void close() {
    node.close();
  }

  @Override
  public String toString() {
    return node.toString();
  }
}
