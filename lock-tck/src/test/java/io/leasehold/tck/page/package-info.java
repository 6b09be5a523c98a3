/** Tests of the page, without a browser and in one. */
@NullMarked
package io.leasehold.tck.page;

import org.jspecify.annotations.NullMarked;
