package io.leasehold.spi;

/** The answer to {@link LockNode#identity}. */
public sealed interface IdentityReply permits Identity, Failed {}
