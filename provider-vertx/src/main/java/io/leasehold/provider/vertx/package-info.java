/**
 * The Vert.x Redis client as a {@link io.leasehold.redis.driver.DriverPort}. What commands mean is
 * known to {@code io.leasehold.redis}; internals of Vert.x are not used.
 */
@NullMarked
package io.leasehold.provider.vertx;

import org.jspecify.annotations.NullMarked;
