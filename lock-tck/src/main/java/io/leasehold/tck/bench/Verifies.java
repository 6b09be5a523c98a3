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

  /** What the subject must have for this check; on a subject without it the check is not run. */
  Needs[] needs() default {};

  /**
   * What a check may need beyond what its requirements do. Only for requirements that have other
   * checks for subjects without it: so nothing passes because nothing was looked at.
   */
  enum Needs {
    /** A quorum of servers. */
    QUORUM,
    /** Faults of single servers of a quorum, and so a quorum; such a check always runs alone. */
    NODE_FAULTS,
    /** Faults of all servers at once; such a check always runs alone. */
    FAULTS,
    /** Fencing tokens. */
    FENCING,
    /** Hand-overs inside a client. */
    TRANSFER,
    /** Wake-ups. */
    WAKE_UPS,
    /** Releases by force. */
    FORCED_RELEASE
  }

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
