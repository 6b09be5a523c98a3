/**
 * Our locks beside those of others, in their layouts: who excludes whom, who wakes whom, and how a
 * fleet moves from one to the other.
 */
@NullMarked
package io.leasehold.it.layouts;

import org.jspecify.annotations.NullMarked;
