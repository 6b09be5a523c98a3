/** Tests of the recorder and the checker. */
@NullMarked
package io.leasehold.tck.history;

import org.jspecify.annotations.NullMarked;
