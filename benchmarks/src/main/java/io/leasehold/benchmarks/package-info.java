/**
 * The command: what was asked for, what is done for it and in which order, and how far it is. What
 * is measured is in the packages below.
 */
@NullMarked
package io.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;
