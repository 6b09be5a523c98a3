package io.leasehold.spi;

/**
 * The lock was this owner's, and is free now.
 *
 * @param serverMicros the server's clock
 */
public record Released(long serverMicros) implements ReleaseReply, ServerClock {}
