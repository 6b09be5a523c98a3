/**
 * A command that runs under a lock: held, watched over, and ended before anybody else can get in.
 * What happens when this process dies or stalls is in {@code watchdog.sh}.
 */
@NullMarked
package io.leasehold.ctl.run;

import org.jspecify.annotations.NullMarked;
