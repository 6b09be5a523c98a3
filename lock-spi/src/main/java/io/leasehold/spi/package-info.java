/**
 * The contract between the lease engine and a lock provider: a handful of types, no dependencies.
 *
 * <p>Comes in: what every provider must answer, and the one way in which providers are found. Stays
 * out: waiting, renewal, re-entrancy (they belong to the engine) and anything that knows a driver.
 */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
