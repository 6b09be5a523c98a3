package io.leasehold.tck.thirdparty;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.WatchReply;
import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.concurrent.CompletionStage;

/** A provider that wakes nobody. Not named as a test: another test runs it, and sees it red. */
public final class MuteToy extends LockProviderTck {

  @Override
  protected Subject subject() {
    return new Toy("mute-toy", (toy, node, url, context) -> new Mute(node));
  }

  private static final class Mute extends ForwardingNode {
    Mute(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<WatchReply> watch(String name, Runnable wake) {
      return super.watch(name, () -> {});
    }
  }
}
