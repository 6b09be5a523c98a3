/**
 * What applications compile against: locks, leases, options, outcomes, listeners.
 *
 * <p>Comes in: types that a person uses or catches. Stays out: how waiting and renewal work
 * (package {@code engine}, not exported), and anything that knows a server.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
