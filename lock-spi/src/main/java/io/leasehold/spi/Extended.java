package io.leasehold.spi;

/**
 * The lock is still this owner's, and its end was pushed out.
 *
 * @param serverMicros the server's clock
 */
public record Extended(long serverMicros) implements ExtendReply, ServerClock {}
