/** The service as its users see it: over HTTP, on a real server. */
@NullMarked
package io.leasehold.examples.orders;

import org.jspecify.annotations.NullMarked;
