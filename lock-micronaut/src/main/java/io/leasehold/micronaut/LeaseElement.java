package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.micronaut.core.propagation.PropagatedContextElement;

/** Carries the lease of a call to wherever Micronaut's context goes. */
record LeaseElement(Lease lease) implements PropagatedContextElement {}
