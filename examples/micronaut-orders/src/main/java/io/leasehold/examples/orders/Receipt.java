package io.leasehold.examples.orders;

import io.micronaut.serde.annotation.Serdeable;

/**
 * What came of a request.
 *
 * @param order the order
 * @param payments how many payments it has now
 * @param token the fencing token with which that was written
 */
@Serdeable
record Receipt(String order, int payments, long token) {}
