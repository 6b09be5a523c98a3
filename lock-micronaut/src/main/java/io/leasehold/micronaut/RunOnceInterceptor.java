package io.leasehold.micronaut;

import io.micronaut.aop.InterceptorBean;
import io.micronaut.core.convert.ConversionService;
import jakarta.inject.Singleton;

/** Puts a lock around calls of {@link RunOnce} methods. */
@Singleton
@InterceptorBean(RunOnce.class)
class RunOnceInterceptor extends LockingInterceptor {

  RunOnceInterceptor(LockClients clients, LeaseEndings endings, ConversionService conversions) {
    super(PlanReader::runOnce, clients, endings, conversions);
  }
}
