/**
 * The fault campaign: real servers, client processes that work on them, and a nemesis that breaks
 * things by a plan that is drawn from a seed. What the processes wrote down is judged by {@link
 * io.leasehold.tck.history}.
 *
 * <p>Comes in: servers, faults, plans, processes, results. Stays out: what a history must show,
 * which is the kit's.
 */
@NullMarked
package io.leasehold.campaign;

import org.jspecify.annotations.NullMarked;
