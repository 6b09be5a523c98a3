/** Tests of the kit itself: its rules, its report, its front end. */
@NullMarked
package io.leasehold.tck;

import org.jspecify.annotations.NullMarked;
