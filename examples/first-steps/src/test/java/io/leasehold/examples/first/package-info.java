/** The small programs, run. */
@NullMarked
package io.leasehold.examples.first;

import org.jspecify.annotations.NullMarked;
