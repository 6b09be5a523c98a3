package io.leasehold.tck.control;

import io.leasehold.LockClient;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A client that ends without giving back what it holds. */
final class CarelessClose implements Interference {
  /** A client is opened by one thread, from {@code before} to {@code after}. */
  private final ThreadLocal<AtomicBoolean> opened = ThreadLocal.withInitial(AtomicBoolean::new);

  @Override
  public void before(Opening opening) {
    AtomicBoolean closing = new AtomicBoolean();
    opened.set(closing);
    opening.tap(
        node ->
            new ForwardingNode(node) {
              @Override
              public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
                return closing.get()
                    ? CompletableFuture.completedFuture(
                        new Released(System.currentTimeMillis() * 1_000))
                    : super.release(request);
              }
            });
  }

  @Override
  public LockClient after(LockClient client) {
    AtomicBoolean closing = opened.get();
    return new ForwardingClient(client) {
      @Override
      public void close() {
        closing.set(true);
        super.close();
      }
    };
  }
}
