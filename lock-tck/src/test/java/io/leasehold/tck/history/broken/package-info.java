/**
 * Workloads that bring the flaws of the negative controls to light in a history, and what is needed
 * for them.
 */
@NullMarked
package io.leasehold.tck.history.broken;

import org.jspecify.annotations.NullMarked;
