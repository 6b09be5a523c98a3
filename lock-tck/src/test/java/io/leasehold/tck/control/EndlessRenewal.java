package io.leasehold.tck.control;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Goes on to extend what was extended once, whatever became of it. */
final class EndlessRenewal extends ForwardingNode {
  private static final int TIMES = 150; // for ever, as far as a check can see

  EndlessRenewal(LockNode node) {
    super(node);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    again(requests, TIMES);
    return super.extend(requests);
  }

  private void again(List<ExtendRequest> requests, int times) {
    if (times > 0) {
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
          .execute(
              () -> {
                CompletionStage<List<ExtendReply>> unused = super.extend(requests);
                again(requests, times - 1);
              });
    }
  }
}
