package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * The lease of the {@link Locked} or {@link RunOnce} method that is being called; of several, the
 * innermost. Thread-safe: every caller sees its own.
 *
 * <p>It follows Micronaut's propagated context: through the call itself, through executors that
 * Micronaut instruments, and to the subscription of a publisher. Operators of a publisher that run
 * on other threads may not see it: give the method a {@link Lease} parameter there.
 */
@Singleton
public class CurrentLease {

  CurrentLease() {}

  /** The lease, held or not: one that was lost tells so itself. Empty outside such a method. */
  public Optional<Lease> get() {
    return PropagatedContext.find()
        .flatMap(context -> context.find(LeaseElement.class))
        .map(LeaseElement::lease);
  }

  /**
   * The lease.
   *
   * @throws IllegalStateException outside such a method
   */
  public Lease require() {
    return get()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no current lease: this is not inside a @Locked or @RunOnce method,"
                        + " or on a thread to which Micronaut's context was not propagated"));
  }
}
