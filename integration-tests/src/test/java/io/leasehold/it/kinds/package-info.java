/**
 * Read-write locks, semaphores and several locks at once, beside plain ones: against a small model,
 * under contention, and what they leave behind. The rules themselves are the kit's business.
 */
@NullMarked
package io.leasehold.it.kinds;

import org.jspecify.annotations.NullMarked;
