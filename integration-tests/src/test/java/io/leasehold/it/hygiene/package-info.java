/**
 * What clients leave behind in their JVM and on the server: after they are closed, after a fault,
 * after a name was used once. Each measurement has a JVM of its own, which holds nothing but the
 * clients; servers and faults are in the JVM of the tests.
 */
@NullMarked
package io.leasehold.it.hygiene;

import org.jspecify.annotations.NullMarked;
