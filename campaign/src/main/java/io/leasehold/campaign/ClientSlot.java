package io.leasehold.campaign;

import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client that is closed and opened anew while others use it. */
final class ClientSlot implements AutoCloseable {
  private final Supplier<LockClient> opening;
  private final AtomicBoolean changing = new AtomicBoolean();
  private volatile @Nullable LockClient current;
  private volatile boolean closed;

  ClientSlot(Supplier<LockClient> opening) {
    this.opening = opening;
  }

  /** The client of now, which may be closed under the hands of whoever uses it. */
  LockClient client() {
    LockClient client = current;
    if (client == null) {
      reopen(() -> closed);
      client = current;
    }
    if (client == null) {
      LockSupport.parkNanos(20_000_000); // somebody else is opening it
      throw new LockClosedException();
    }
    return client;
  }

  /** Closes the client and opens another one, however often that fails. */
  void reopen(BooleanSupplier givingUp) {
    if (!changing.compareAndSet(false, true)) {
      return;
    }
    try {
      LockClient old = current;
      if (old != null) {
        old.close();
        current = null;
      }
      while (current == null && !givingUp.getAsBoolean() && !closed) {
        try {
          current = opening.get();
        } catch (LockException e) {
          LockSupport.parkNanos(100_000_000);
        }
      }
    } finally {
      changing.set(false);
    }
  }

  @Override
  public void close() {
    closed = true;
    while (!changing.compareAndSet(false, true)) {
      LockSupport.parkNanos(1_000_000);
    }
    LockClient client = current;
    if (client != null) {
      client.close();
    }
  }
}
