/**
 * The Vert.x Redis client as a {@link io.leasehold.redis.driver.DriverPort}.
 *
 * <p>Comes in: URLs, commands, and what an application hands in. Stays out: what the commands mean,
 * which {@code io.leasehold.redis} knows, and internals of the driver.
 */
@NullMarked
package io.leasehold.provider.vertx;

import org.jspecify.annotations.NullMarked;
