/** What a driver port must do, as tests that every provider runs. */
@NullMarked
package io.leasehold.redis.driver;

import org.jspecify.annotations.NullMarked;
