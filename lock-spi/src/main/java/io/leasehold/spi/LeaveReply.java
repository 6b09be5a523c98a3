package io.leasehold.spi;

/** The answer to {@link FairLine#leave}. */
public sealed interface LeaveReply permits Left, Failed {}
