/**
 * What is counted and timed, and the arithmetic with it: samples, the server's counters, the load
 * that threads put on locks. Knows contestants only by their {@code Client}.
 */
@NullMarked
package io.leasehold.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
