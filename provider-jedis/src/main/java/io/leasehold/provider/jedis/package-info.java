/**
 * The adapter of the Jedis driver to the Redis protocol. Comes in: URLs, clients that an
 * application hands in, and commands. Stays out: which server is asked and what the commands mean.
 */
@NullMarked
package io.leasehold.provider.jedis;

import org.jspecify.annotations.NullMarked;
