/**
 * Whoever is measured: our drivers, the same drivers bare, and the peers, each with the settings
 * that its own documentation recommends. Nothing in here measures.
 */
@NullMarked
package io.leasehold.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;
