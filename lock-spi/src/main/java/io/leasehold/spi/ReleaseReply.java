package io.leasehold.spi;

/** The answer to a {@link ReleaseRequest}. */
public sealed interface ReleaseReply permits Released, NotHeld, Failed {}
