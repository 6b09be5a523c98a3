package io.leasehold.spi;

/**
 * The place is not in the line any more.
 *
 * @param serverMicros the server's clock
 */
public record Left(long serverMicros) implements LeaveReply, ServerClock {}
