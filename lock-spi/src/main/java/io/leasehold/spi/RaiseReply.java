package io.leasehold.spi;

/** The answer to a {@link RaiseRequest}. */
public sealed interface RaiseReply permits Raised, Refused, Guarded, Failed {}
