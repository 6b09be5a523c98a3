/**
 * The lease engine: waiting, renewal, re-entrancy, loss. Written against {@code LockNode} only.
 *
 * <p>Comes in: decisions, and the few threads that carry them out. Stays out: anything that knows
 * what kind of server answers. Not exported.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
