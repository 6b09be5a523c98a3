package io.leasehold.micronaut;

import io.micronaut.aop.Around;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls of this method hold a distributed lock, from before the method is called until what it
 * returns is complete: a value at once, a {@code CompletionStage} when it completes, a publisher
 * when it completes, fails or is cancelled. A publisher acquires the lock for each subscription.
 *
 * <p>The lock is released before the caller gets the result. It is acquired inside retries and
 * outside transactions: a commit happens under the lock.
 *
 * <p>A parameter of the type {@link io.leasehold.Lease} gets the lease, whatever the caller passes
 * ({@code null}, usually); {@link CurrentLease} tells it too. The lock is not re-entrant: a call
 * that needs a lock that it already holds waits for itself.
 *
 * <p>Durations are {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, {@code 1d} or ISO 8601
 * ({@code PT5S}). All texts may contain placeholders ({@code ${orders.wait:5s}}).
 *
 * <p>An overriding method without the annotation is locked like the one that it overrides.
 */
@Around
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Locked {

  /**
   * The lock's name: text with {@code {parameter}}, {@code {parameter.property}} or {@code {0}} (a
   * parameter by its position) in it; <code>{{</code> and <code>}}</code> are literal braces. Or an
   * expression of Micronaut's, {@code #{'order:' + id}}, as a whole. A value that is null is an
   * error.
   */
  String value();

  /** The name of the client, as in {@code leasehold.clients.<name>}; the default one if empty. */
  String client() default "";

  /** How long to wait for the lock; as the client is configured if empty, not at all if zero. */
  String waitTime() default "";

  /**
   * The lease time; as the client is configured if empty. The lease is renewed while it is held.
   */
  String leaseTime() default "";

  /** What happens when somebody else holds the lock for too long. */
  OnBusy onBusy() default OnBusy.FAIL;

  /** What happens when the method succeeds, but its lease was lost meanwhile. */
  OnLost onLost() default OnLost.FAIL;
}
