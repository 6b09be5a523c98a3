/** Locks on every topology, with every driver. */
@NullMarked
package io.leasehold.it.topology;

import org.jspecify.annotations.NullMarked;
