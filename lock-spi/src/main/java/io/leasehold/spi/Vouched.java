package io.leasehold.spi;

/**
 * The servers are taken for new.
 *
 * @param serverMicros a server's clock
 */
public record Vouched(long serverMicros) implements VouchReply, ServerClock {}
