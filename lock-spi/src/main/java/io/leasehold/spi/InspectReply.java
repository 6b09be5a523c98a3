package io.leasehold.spi;

/** The answer to {@link LockNode#inspect}. */
public sealed interface InspectReply permits Inspection, Failed {}
