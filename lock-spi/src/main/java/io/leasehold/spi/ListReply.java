package io.leasehold.spi;

/** The answer to {@link LockListing#list}. */
public sealed interface ListReply permits Listed, Failed {}
