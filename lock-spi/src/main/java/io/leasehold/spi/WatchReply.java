package io.leasehold.spi;

/** The answer to {@link LockNode#watch}. */
public sealed interface WatchReply permits Watching, Failed {}
