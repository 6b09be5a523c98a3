package io.leasehold.tck.control;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A client that begins to count when the grant arrives, by setting its clocks back. */
final class LateStart implements Interference {

  @Override
  public void before(Opening opening) {
    TimeSource right = opening.clock();
    AtomicLong backNanos = new AtomicLong();
    opening.clock(
        new TimeSource() {
          @Override
          public long monotonicNanos() {
            return right.monotonicNanos() - backNanos.get();
          }

          @Override
          public long wallMillis() {
            return right.wallMillis() - backNanos.get() / 1_000_000;
          }
        });
    opening.tap(node -> settingBack(node, backNanos));
  }

  private static LockNode settingBack(LockNode node, AtomicLong backNanos) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        long sent = System.nanoTime();
        return super.grant(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Granted) {
                    backNanos.addAndGet(System.nanoTime() - sent);
                  }
                  return reply;
                });
      }
    };
  }
}
