package io.leasehold.micronaut;

import io.micronaut.aop.InterceptorBean;
import io.micronaut.core.convert.ConversionService;
import jakarta.inject.Singleton;

/** Puts a lock around calls of {@link Locked} methods. */
@Singleton
@InterceptorBean(Locked.class)
class LockedInterceptor extends LockingInterceptor {

  LockedInterceptor(LockClients clients, LeaseEndings endings, ConversionService conversions) {
    super(PlanReader::locked, clients, endings, conversions);
  }
}
