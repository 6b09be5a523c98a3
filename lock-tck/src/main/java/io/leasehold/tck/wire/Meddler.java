package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A tap that does something to requests of some kinds, while it is on; it is on at first. */
abstract class Meddler implements Tap {
  /**
   * Threads that are used again. On a machine with two processors the default executor starts a
   * thread for each delayed task, on the one thread that keeps the delays of the whole JVM.
   */
  private static final Executor THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "tck-delayed");
            thread.setDaemon(true);
            return thread;
          });

  private final Set<Operation> operations;
  private volatile boolean on = true;

  Meddler(Operation first, Operation... more) {
    operations = EnumSet.of(first, more);
  }

  /** Begins to meddle. */
  public final void on() {
    on = true;
  }

  /** Lets everything pass from now on. */
  public final void off() {
    on = false;
  }

  /** What it does instead of sending the request and giving back its answer. */
  abstract <R> CompletionStage<R> meddle(
      Supplier<CompletionStage<R>> send, Function<Failed, R> failing);

  @Override
  public final LockNode apply(LockNode node) {
    return new Meddled(node);
  }

  static Executor after(Duration delay) {
    return CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, THREADS);
  }

  private final class Meddled extends ForwardingNode {
    Meddled(LockNode node) {
      super(node);
    }

    @Override
    protected LockNode around(LockNode view) {
      return new Meddled(view);
    }

    @Override
    protected <R> CompletionStage<R> through(
        Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
      return on && operations.contains(operation) ? meddle(send, failing) : send.get();
    }
  }
}
