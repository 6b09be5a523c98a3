package io.leasehold.spi;

/**
 * The answer to a {@link TransferRequest}. After {@link Guarded} the old owner's lock has been
 * released and nothing was handed on.
 */
public sealed interface TransferReply permits Granted, NotHeld, Guarded, Failed {}
