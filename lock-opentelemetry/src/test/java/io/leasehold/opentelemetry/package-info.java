/** Tests with a real SDK that keeps what it gets, on locks in memory. */
@NullMarked
package io.leasehold.opentelemetry;

import org.jspecify.annotations.NullMarked;
