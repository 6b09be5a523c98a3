/**
 * The adapter of the Lettuce driver: its connections, as the lock protocol needs them.
 *
 * <p>Comes in: endpoints and commands. Stays out: which server is asked and what a command means,
 * which is {@code io.leasehold.redis}'s business.
 */
@NullMarked
package io.leasehold.provider.lettuce;

import org.jspecify.annotations.NullMarked;
