/** Tests of URLs, options and the selection of providers. */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
