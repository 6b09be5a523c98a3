package io.leasehold.spi;

/** The answer to {@link Vouching#vouch()}. */
public sealed interface VouchReply permits Vouched, Failed {}
