/**
 * {@code lockctl doctor}: asks servers how they are set up, and says what makes locks unsafe there.
 * It reads; the only things it writes are commands that change nothing. {@code docs/doctor.md} has
 * an entry for each {@link io.leasehold.ctl.doctor.Check}.
 */
@NullMarked
package io.leasehold.ctl.doctor;

import org.jspecify.annotations.NullMarked;
