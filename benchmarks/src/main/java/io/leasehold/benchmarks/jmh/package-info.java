/**
 * JMH's benchmarks of uncontended cycles: of each contestant, in a JVM of its own, with what JMH
 * knows about warm-up and allocation. The harness runs them; so does JMH's own main class.
 */
@NullMarked
package io.leasehold.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
