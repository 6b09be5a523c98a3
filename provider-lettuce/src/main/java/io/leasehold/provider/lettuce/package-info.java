/**
 * The adapter of the Lettuce driver to the Redis port, and how its connections are kept alive.
 *
 * <p>Comes in: URLs and script calls. Stays out: what the calls mean, which is {@code
 * io.leasehold.redis}'s business.
 */
@NullMarked
package io.leasehold.provider.lettuce;

import org.jspecify.annotations.NullMarked;
