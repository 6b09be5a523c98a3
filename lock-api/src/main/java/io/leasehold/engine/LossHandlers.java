package io.leasehold.engine;

import io.leasehold.LossReason;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Calls what an application has registered for the loss of a lease. */
final class LossHandlers {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  private LossHandlers() {}

  /** Calls each of them, apart from each other and from whoever noticed the loss. */
  static void call(Executor executor, List<Consumer<LossReason>> handlers, LossReason reason) {
    for (Consumer<LossReason> handler : handlers) {
      try {
        executor.execute(() -> call(handler, reason));
      } catch (RejectedExecutionException e) {
        call(handler, reason); // the client is closed and its threads are gone: this one must do
      }
    }
  }

  private static void call(Consumer<LossReason> handler, LossReason reason) {
    try {
      handler.accept(reason);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-215 a handler of a lost lease threw", e);
    }
  }
}
