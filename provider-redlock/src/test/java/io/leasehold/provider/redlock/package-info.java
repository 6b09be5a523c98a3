/** Tests of the quorum over servers that are simulated, on clocks that move when a test says so. */
@NullMarked
package io.leasehold.provider.redlock;

import org.jspecify.annotations.NullMarked;
