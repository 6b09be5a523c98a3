/**
 * What this JVM and a server have at one moment, and what they have more of at a later one:
 * threads, descriptors, tasks that wait, objects by their class, connections. Needs Linux and a
 * HotSpot JVM. Knows no driver but by the names of its classes.
 */
@NullMarked
package io.leasehold.testkit.hygiene;

import org.jspecify.annotations.NullMarked;
