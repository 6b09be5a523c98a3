/**
 * A small correct provider for the kit's own tests, with faults and a clock that can jump. What is
 * wrong with it in a negative control is put around it, and stands in {@code control}.
 */
@NullMarked
package io.leasehold.tck.toy;

import org.jspecify.annotations.NullMarked;
