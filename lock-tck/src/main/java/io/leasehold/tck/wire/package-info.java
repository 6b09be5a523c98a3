/**
 * Taps on the wire between the engine and a node: they listen, delay, lose and repeat, so that most
 * faults can be made for any provider with no network between.
 */
@NullMarked
package io.leasehold.tck.wire;

import org.jspecify.annotations.NullMarked;
