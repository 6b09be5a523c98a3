package io.leasehold.tck.history.broken;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Watches end a while after they were closed, as those of a thread that was not given time. */
record LateEnds(Duration delay) implements Tap {

  @Override
  public LockNode apply(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<WatchReply> watch(String name, Runnable wake) {
        return super.watch(name, wake)
            .thenApply(
                reply ->
                    reply instanceof Watching watching
                        ? new Watching(() -> endLater(watching.watch()))
                        : reply);
      }
    };
  }

  private void endLater(Watch watch) {
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(watch::close);
  }
}
