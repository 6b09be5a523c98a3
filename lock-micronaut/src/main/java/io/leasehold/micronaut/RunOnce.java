package io.leasehold.micronaut;

import io.micronaut.aop.Around;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * For a job that every instance schedules and one of them shall run: a call that finds the job's
 * lock held is skipped, without waiting and without an error. Usually beside {@code @Scheduled}.
 *
 * <p>While the job runs its lease is renewed; if its instance dies, the lock is free after the
 * client's lease time, not only after {@link #atMost}. When the servers cannot be asked, the call
 * fails ({@link io.leasehold.LockUnavailableException}): unknown is never busy, and never free.
 *
 * <p>Methods return what {@link Locked} methods with {@link OnBusy#SKIP} may return. Durations are
 * written as there; all texts may contain placeholders.
 */
@Around
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RunOnce {

  /** The name of the lock; may have parameters in it, as in {@link Locked#value}. */
  String name();

  /**
   * How long the lock is held at least, counted from the start of the job, also when the job is
   * done sooner: longer than the clocks of the instances are apart, shorter than the time between
   * two runs. No thread waits for it. An instance that shuts down gives the lock back before.
   */
  String atLeast() default "";

  /**
   * How long the lock is held at most: a job that takes longer loses its lease ({@link
   * io.leasehold.LossReason#MAX_HOLD}) and others may run it, while it goes on. As long as it takes
   * if empty.
   */
  String atMost() default "";

  /** The name of the client, as in {@code leasehold.clients.<name>}; the default one if empty. */
  String client() default "";
}
