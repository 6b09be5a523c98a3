/** Tests of the reference provider on a clock that a test moves. */
@NullMarked
package io.leasehold.provider.memory;

import org.jspecify.annotations.NullMarked;
