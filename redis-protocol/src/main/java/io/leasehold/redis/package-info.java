/**
 * Locks on Redis servers: key names, scripts, replies and errors, over a port that a driver
 * implements.
 *
 * <p>Comes in: {@link io.leasehold.redis.RedisPort}s and lock requests. Stays out: every type of a
 * driver.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
