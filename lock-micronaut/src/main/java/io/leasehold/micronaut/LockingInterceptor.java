package io.leasehold.micronaut;

import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.inject.ExecutableMethod;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts a lock around calls, each kind of method in its own way. */
abstract class LockingInterceptor implements MethodInterceptor<Object, Object> {
  private static final boolean REACTOR =
      ClassUtils.isPresent(
          "reactor.core.publisher.Mono", LockingInterceptor.class.getClassLoader());

  private final Function<MethodInvocationContext<?, ?>, LockPlan> reader;
  private final Map<ExecutableMethod<?, ?>, LockPlan> plans = new ConcurrentHashMap<>();
  private final LockClients clients;
  private final LeaseEndings endings;
  private final ConversionService conversions;

  LockingInterceptor(
      Function<MethodInvocationContext<?, ?>, LockPlan> reader,
      LockClients clients,
      LeaseEndings endings,
      ConversionService conversions) {
    this.reader = reader;
    this.clients = clients;
    this.endings = endings;
    this.conversions = conversions;
  }

  /** Inside retries and asynchronous execution, outside transactions. */
  @Override
  public int getOrder() {
    return (InterceptPhase.ASYNC.getPosition() + InterceptPhase.TRANSACTION.getPosition()) / 2;
  }

  @Override
  public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
    InterceptedMethod method = InterceptedMethod.of(context, conversions);
    try {
      LockPlan plan =
          plans.computeIfAbsent(context.getExecutableMethod(), each -> reader.apply(context));
      LockedCall call = new LockedCall(context, this, plan, clients, endings);
      return switch (method.resultType()) {
        case SYNCHRONOUS -> BlockingCalls.call(call, method.returnTypeValue().getType());
        case COMPLETION_STAGE ->
            method.handleResult(StageCalls.call(call, method.returnTypeValue().getType()));
        case PUBLISHER -> method.handleResult(publisher(call, context));
      };
    } catch (Exception e) {
      // A publisher that fails is ours to make: Micronaut's own is not always a Mono or Flux.
      return REACTOR && method.resultType() == InterceptedMethod.ResultType.PUBLISHER
          ? method.handleResult(ReactorCalls.failed(e, context.getReturnType().getType()))
          : method.handleException(e);
    }
  }

  private Object publisher(LockedCall call, MethodInvocationContext<Object, Object> context) {
    if (!REACTOR) {
      throw new ConfigurationException(
          "A method that returns a publisher is locked with Reactor: put io.projectreactor:"
              + "reactor-core and io.micronaut:micronaut-core-reactive on the class path");
    }
    return ReactorCalls.call(call, context.getReturnType().getType(), conversions);
  }
}
