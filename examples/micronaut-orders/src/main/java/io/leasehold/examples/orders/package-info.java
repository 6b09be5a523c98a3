/**
 * A service whose orders are paid, shipped and refunded by several instances at once.
 *
 * <p>Comes in: what a newcomer should read. Stays out: whatever is not about locks, as far as it
 * goes.
 */
@NullMarked
package io.leasehold.examples.orders;

import org.jspecify.annotations.NullMarked;
