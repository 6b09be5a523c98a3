package io.leasehold.tck.wire;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.WatchReply;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Every wake-up is lost; the client believes that it will be woken. */
public final class DroppedWakeUps implements Tap {
  private final AtomicInteger dropped = new AtomicInteger();

  /** How many wake-ups were lost. */
  public int dropped() {
    return dropped.get();
  }

  @Override
  public LockNode apply(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<WatchReply> watch(String name, Runnable wake) {
        return node.watch(name, dropped::incrementAndGet);
      }

      @Override
      protected LockNode around(LockNode view) {
        return DroppedWakeUps.this.apply(view);
      }
    };
  }
}
