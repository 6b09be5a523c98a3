/** Commands under a lock, on real servers and with real processes. */
@NullMarked
package io.leasehold.ctl.run;

import org.jspecify.annotations.NullMarked;
