package io.leasehold.tck.control;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLease;
import io.leasehold.tck.forward.ForwardingLock;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A lease that ended is held again when the answer to its renewal arrives after all. */
final class RevivedLeases implements Interference {
  private final Map<String, Long> extended = new ConcurrentHashMap<>();

  @Override
  public void before(Opening opening) {
    opening.tap(
        node ->
            new ForwardingNode(node) {
              @Override
              public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
                return super.extend(requests)
                    .thenApply(
                        replies -> {
                          note(requests, replies);
                          return replies;
                        });
              }
            });
  }

  private void note(List<ExtendRequest> requests, List<ExtendReply> replies) {
    for (int i = 0; i < requests.size(); i++) {
      if (replies.get(i) instanceof Extended) {
        extended.put(requests.get(i).name(), System.nanoTime());
      }
    }
  }

  @Override
  public LockClient after(LockClient client) {
    return new ForwardingClient(client) {
      @Override
      protected DistributedLock around(DistributedLock lock) {
        return new ForwardingLock(lock) {
          @Override
          protected Lease around(Lease lease) {
            return new Revived(lease);
          }
        };
      }
    };
  }

  private final class Revived extends ForwardingLease {
    private final AtomicLong lost = new AtomicLong(Long.MAX_VALUE);

    Revived(Lease lease) {
      super(lease);
      lease.onLost(
          loss -> {
            if (loss.reason() == LossReason.RENEWAL_FAILED) {
              lost.set(System.nanoTime());
            }
          });
    }

    @Override
    public boolean isHeld() {
      return super.isHeld() || extended.getOrDefault(lockName(), Long.MIN_VALUE) > lost.get();
    }
  }
}
