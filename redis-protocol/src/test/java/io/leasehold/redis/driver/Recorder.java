package io.leasehold.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Records messages, and subscribes again after an interruption, as the contract asks. */
class Recorder implements DriverPort.Subscriber {
  final List<String> messages = new CopyOnWriteArrayList<>();

  /** How often it has subscribed again with success. */
  final AtomicInteger restored = new AtomicInteger();

  private volatile Supplier<CompletableFuture<Boolean>> again =
      () -> CompletableFuture.completedFuture(true);

  /** One that is also subscribed to the channel of the shard. */
  static Recorder onShard() {
    return new Recorder() {
      @Override
      public boolean sharded() {
        return true;
      }
    };
  }

  /** Subscribes, and remembers how. The supplier must not block. */
  CompletableFuture<Boolean> subscribe(Supplier<CompletableFuture<Boolean>> subscription) {
    again = subscription;
    return subscription.get();
  }

  @Override
  public void message(byte[] payload) {
    messages.add(new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public void interrupted() {
    CompletableFuture<Boolean> begun;
    try {
      begun = again.get();
    } catch (RejectedExecutionException e) { // the test has ended
      return;
    }
    var unused =
        begun.whenComplete(
            (confirmed, error) -> {
              if (error == null) {
                restored.incrementAndGet();
              } else {
                CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                    .execute(this::interrupted);
              }
            });
  }
}
