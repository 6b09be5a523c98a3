/** Does it hold on real servers, over wires that break? */
@NullMarked
package io.leasehold.it.redis;

import org.jspecify.annotations.NullMarked;
