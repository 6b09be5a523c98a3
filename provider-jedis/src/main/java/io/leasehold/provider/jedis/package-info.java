/** The Jedis driver as a port of the Redis protocol, with its own clients or an application's. */
@NullMarked
package io.leasehold.provider.jedis;

import org.jspecify.annotations.NullMarked;
