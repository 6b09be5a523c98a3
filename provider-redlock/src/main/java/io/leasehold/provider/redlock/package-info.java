/**
 * Redlock: a {@link io.leasehold.spi.LockNode} made of N independent ones, of whichever provider is
 * on the class path.
 *
 * <p>Comes in: votes, rounds, tokens over a quorum, the health of the members. Stays out: waiting,
 * renewal and leases (the engine's), and anything that knows Redis or a driver.
 */
@NullMarked
package io.leasehold.provider.redlock;

import org.jspecify.annotations.NullMarked;
