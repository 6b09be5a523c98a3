/**
 * What redis-protocol needs of a Redis driver. A provider implements {@link
 * io.leasehold.redis.driver.DriverPort} with its driver's own client; nothing here knows a driver,
 * a script or a lock.
 */
@NullMarked
package io.leasehold.redis.driver;

import org.jspecify.annotations.NullMarked;
