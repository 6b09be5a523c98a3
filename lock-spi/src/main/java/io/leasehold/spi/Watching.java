package io.leasehold.spi;

/**
 * A watch that is under way: from now on a release that picks this client calls its wake-up.
 *
 * @param watch ends it
 */
public record Watching(Watch watch) implements WatchReply {}
