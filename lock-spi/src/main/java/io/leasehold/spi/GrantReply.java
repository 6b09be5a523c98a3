package io.leasehold.spi;

/** The answer to a {@link GrantRequest}. */
public sealed interface GrantReply permits Granted, Busy, Guarded, Expired, Failed {}
