package io.leasehold.spi;

/**
 * The fence was not raised: the lock is not this owner's, or the fence is higher, or the token lies
 * too far ahead of the server's clock, or so far behind it that a fence may have expired there.
 *
 * @param fence where the fence stands; 0 when there is none
 * @param serverMicros the server's clock
 */
public record Refused(long fence, long serverMicros) implements RaiseReply, ServerClock {}
