package io.leasehold.tck.bench;

import io.leasehold.tck.Requirement;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method {@code void check(Bench bench)} of a group a check. Its name is its sentence in
 * the report: {@code aStrangerCannotRelease}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Verifies {

  /** The requirements that fail when this check does. */
  Requirement[] value();

  /** How long it may take before it counts as failed. */
  int seconds() default 20;

  /** With whom it may run at the same time. Checks that need faults always run alone. */
  Company company() default Company.ANY;

  /** With whom a check may run at the same time. */
  enum Company {
    /** With any others. */
    ANY,
    /** With none, after the others. */
    NONE,
    /** With any others, unless the subject has a time machine, which it uses: then with none. */
    NONE_WHEN_TIME_JUMPS
  }
}
