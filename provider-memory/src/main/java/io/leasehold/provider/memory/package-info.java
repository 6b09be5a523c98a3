/**
 * Locks inside one JVM, for unit tests of applications and for trying the API with no server.
 *
 * <p>Comes in: the algorithm of the design in plain Java, as a reference for other providers. Stays
 * out: anything that leaves the process.
 */
@NullMarked
package io.leasehold.provider.memory;

import org.jspecify.annotations.NullMarked;
