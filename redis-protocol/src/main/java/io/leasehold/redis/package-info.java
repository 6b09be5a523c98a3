/**
 * Locks on Redis: key names, scripts, replies, errors, the guard and the checks of a server.
 *
 * <p>What comes in: lock requests, and a {@link io.leasehold.redis.driver.DriverPort} that sends
 * commands. What stays out: every type of a driver, and how a server is found or connected to.
 *
 * <p>A provider extends {@link io.leasehold.redis.RedisLockProvider}; {@code NodeOpening} makes its
 * {@code RedisLockNode}, which runs scripts with {@code ScriptRunner}.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
