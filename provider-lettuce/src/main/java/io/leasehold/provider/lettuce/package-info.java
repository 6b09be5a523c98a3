/**
 * Locks on Redis with the client of the Lettuce driver: {@link
 * io.leasehold.provider.lettuce.LettucePort} sends what redis-protocol gives it on connections that
 * Lettuce makes. Scripts, keys and the meaning of replies stay out.
 */
@NullMarked
package io.leasehold.provider.lettuce;

import org.jspecify.annotations.NullMarked;
