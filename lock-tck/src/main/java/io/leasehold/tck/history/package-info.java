/**
 * What clients did, written down while they did it, and judged afterwards: a recorder for the
 * clients of each process, a reader that puts the files of all processes together, and a checker
 * that decides mechanically whether what happened is what was promised. The format is told in
 * {@code docs/histories.md}.
 *
 * <p>Comes in: what records, reads or judges histories of any {@link io.leasehold.LockClient}.
 * Stays out: workloads, faults, servers.
 */
@NullMarked
package io.leasehold.tck.history;

import org.jspecify.annotations.NullMarked;
