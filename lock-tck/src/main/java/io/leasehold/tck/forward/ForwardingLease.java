package io.leasehold.tck.forward;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.NodeAnswer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Passes everything on. */
public class ForwardingLease implements Lease {
  private final Lease lease;

  /** Around a lease. */
  public ForwardingLease(Lease lease) {
    this.lease = lease;
  }

  @Override
  public String lockName() {
    return lease.lockName();
  }

  @Override
  public long fencingToken() {
    return lease.fencingToken();
  }

  @Override
  public List<NodeAnswer> votes() {
    return lease.votes();
  }

  @Override
  public Duration remaining() {
    return lease.remaining();
  }

  @Override
  public boolean isHeld() {
    return lease.isHeld();
  }

  @Override
  public void ensureHeld() {
    lease.ensureHeld();
  }

  @Override
  public void onLost(Consumer<? super LeaseLoss> handler) {
    lease.onLost(handler);
  }

  @Override
  public ReleaseResult release() {
    return lease.release();
  }

  @Override
  public void close() {
    lease.close();
  }

  @Override
  public String toString() {
    return lease.toString();
  }
}
