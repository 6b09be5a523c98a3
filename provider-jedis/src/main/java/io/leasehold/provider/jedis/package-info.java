/**
 * The Jedis driver as a port of the Redis protocol. Comes in: URLs, clients that an application
 * hands in, and commands. Stays out: what the commands mean.
 */
@NullMarked
package io.leasehold.provider.jedis;

import org.jspecify.annotations.NullMarked;
