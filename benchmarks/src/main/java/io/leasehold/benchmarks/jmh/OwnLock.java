package io.leasehold.benchmarks.jmh;

import io.leasehold.benchmarks.contestant.Client.Handle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** A lock of each thread's own. */
@State(Scope.Thread)
public class OwnLock {
  private @Nullable Handle handle;

  @Setup
  public void choose(Connected connected, ThreadParams thread) {
    handle = connected.client().lock("jmh-" + connected.contestant + thread.getThreadIndex());
  }

  /** Takes it and gives it back. */
  void cycle() throws Exception {
    Handle lock = Objects.requireNonNull(handle);
    lock.release(lock.acquire());
  }
}
