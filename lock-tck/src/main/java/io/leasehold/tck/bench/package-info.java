/**
 * What a check works with: clients, raw nodes, lock names, clocks, threads, random numbers. All of
 * it belongs to one check and ends with it.
 *
 * <p>Comes in: what several checks need. Stays out: anything that decides whether a provider
 * conforms.
 */
@NullMarked
package io.leasehold.tck.bench;

import org.jspecify.annotations.NullMarked;
