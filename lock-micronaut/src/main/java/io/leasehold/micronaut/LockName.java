package io.leasehold.micronaut;

import io.micronaut.aop.MethodInvocationContext;

/** How the name of a lock is made from a call. */
@FunctionalInterface
interface LockName {

  /**
   * The name for this call.
   *
   * @throws IllegalArgumentException when an argument that it needs is null
   */
  String of(MethodInvocationContext<?, ?> call);
}
