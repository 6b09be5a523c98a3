/**
 * Locks on Redis: key names, scripts, replies, errors, the guard; which server is asked, and how
 * connections are kept, over a driver that makes them.
 *
 * <p>Comes in: lock requests and a {@link io.leasehold.redis.RedisDriver}. Stays out: every type of
 * a driver.
 *
 * <p>From the top: {@code RedisLockNode} speaks the lock protocol to a {@code RedisPort}; that is
 * made of {@code Servers}, each a {@code Server} with its {@code Link}s, found by {@code Sentinels}
 * or a {@code SlotMap}. A provider extends {@link io.leasehold.redis.RedisLockProvider}.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
