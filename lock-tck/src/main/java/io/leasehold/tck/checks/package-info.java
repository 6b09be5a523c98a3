/**
 * The checks, one class for each group of requirements. A check is a method that carries the ids of
 * what it verifies; it fails by throwing.
 */
@NullMarked
package io.leasehold.tck.checks;

import org.jspecify.annotations.NullMarked;
