/** Small programs, one for each way of using a lock. */
@NullMarked
package io.leasehold.examples.first;

import org.jspecify.annotations.NullMarked;
