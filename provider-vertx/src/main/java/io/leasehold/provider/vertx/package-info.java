/**
 * The adapter of the Vert.x Redis client to what the lock protocol needs of a driver.
 *
 * <p>Comes in: URLs, commands, and what an application hands in. Stays out: what the commands mean,
 * which is {@code io.leasehold.redis}'s business.
 */
@NullMarked
package io.leasehold.provider.vertx;

import org.jspecify.annotations.NullMarked;
