package io.leasehold.redis.driver;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * What a port gets from the lock client that uses it.
 *
 * @param scheduler for delays; its tasks must be short and never block
 * @param time the one source of time
 * @param background runs what may block, for a port that blocks
 * @param connectTimeout bounds the making of a connection
 * @param commandTimeout bounds a command
 * @param doubt called when another server may have taken over: a connection was lost or replaced.
 *     May be called on any thread; does not block
 */
public record PortContext(
    Scheduler scheduler,
    TimeSource time,
    Executor background,
    Duration connectTimeout,
    Duration commandTimeout,
    Runnable doubt) {}
