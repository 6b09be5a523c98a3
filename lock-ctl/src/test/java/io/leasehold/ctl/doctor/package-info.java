/** Servers that are set up badly, and what the doctor says. */
@NullMarked
package io.leasehold.ctl.doctor;

import org.jspecify.annotations.NullMarked;
