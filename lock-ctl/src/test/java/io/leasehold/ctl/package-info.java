/** The command line as its users see it: processes, exit codes, what they print. */
@NullMarked
package io.leasehold.ctl;

import org.jspecify.annotations.NullMarked;
