package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client over a scripted node on virtual time. */
final class EngineFixture {
  final VirtualTime time = new VirtualTime();
  final ScriptedNode node = new ScriptedNode(time);

  LocksBuilder builder() {
    return Locks.builder().node(node).clock(time).scheduler(time).discoverListeners(false);
  }

  LockClient open() {
    return builder().open();
  }

  /** A future that the engine completes on a thread of its own: waits for that in real time. */
  static Lease get(CompletableFuture<Lease> future) {
    try {
      return future.get(5, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  static Throwable failure(CompletableFuture<Lease> future) {
    try {
      Lease lease = future.get(5, TimeUnit.SECONDS);
      throw new AssertionError("expected a failure, got " + lease);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      assertThat(cause).isNotNull();
      return cause == null ? e : cause;
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
