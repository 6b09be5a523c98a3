package io.leasehold.spi;

/** The answer to one {@link ExtendRequest}. */
public sealed interface ExtendReply permits Extended, NotHeld, Failed {}
