/** What restarts, failovers and split brains do to locks, and what the guard makes of it. */
@NullMarked
package io.leasehold.it.failover;

import org.jspecify.annotations.NullMarked;
