/** The demo, as it is run by somebody who has just cloned the repository. */
@NullMarked
package io.leasehold.ctl.demo;

import org.jspecify.annotations.NullMarked;
