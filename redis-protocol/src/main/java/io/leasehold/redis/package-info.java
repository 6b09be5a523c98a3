/**
 * Locks on Redis: key names, scripts, replies, errors, the guard, checks of servers, wake-ups.
 *
 * <p>Comes in: lock requests, and a {@link io.leasehold.redis.driver.DriverPort} that a provider
 * implements with its driver's own client. Stays out: every type of a driver; sockets, topologies
 * and logins.
 *
 * <p>From the top: {@code NodeOpening} makes the {@code Servers} of a node. A {@code KindNode}
 * makes a {@code ScriptCall} of a request, {@code ScriptRunner} sends it, and {@code Replies} reads
 * the answer. A provider extends {@link io.leasehold.redis.RedisLockProvider}.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
