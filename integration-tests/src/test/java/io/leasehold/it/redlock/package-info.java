/** Redlock: clients of several servers at once, of which a minority may fail. */
@NullMarked
package io.leasehold.it.redlock;

import org.jspecify.annotations.NullMarked;
