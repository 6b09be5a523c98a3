package io.leasehold.spi;

/**
 * The fence is at the token, and the lock was still this owner's.
 *
 * @param serverMicros the server's clock
 */
public record Raised(long serverMicros) implements RaiseReply, ServerClock {}
