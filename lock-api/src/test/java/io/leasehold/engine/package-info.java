/**
 * Tests of the engine, on a virtual clock and a scripted node wherever no real thread is needed.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
