package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.async.propagation.ReactorPropagation;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.util.context.ContextView;

/**
 * Methods that return a publisher: each subscription acquires the lock, calls the method,
 * subscribes to what it returns, and gives the lock back before it tells the end. No thread waits
 * for anything. Loaded only where there is Reactor.
 */
final class ReactorCalls {
  private ReactorCalls() {}

  /** A {@code Mono} for types of at most one value, a {@code Flux} for others. */
  static Publisher<Object> call(LockedCall call, Class<?> type, ConversionService conversions) {
    Function<Object, Publisher<Object>> publishers =
        result -> Publishers.convertToPublisher(conversions, result);
    return isSingle(type)
        ? Mono.deferContextual(view -> single(call, around(call, view), publishers))
        : Flux.deferContextual(view -> many(call, around(call, view), publishers));
  }

  /** What a call gives that cannot be made. */
  static Publisher<Object> failed(Exception error, Class<?> type) {
    return isSingle(type) ? Mono.error(error) : Flux.error(error);
  }

  private static boolean isSingle(Class<?> type) {
    return Publishers.isSingle(type) || Publishers.isCompletable(type);
  }

  private static PropagatedContext around(LockedCall call, ContextView view) {
    return ReactorPropagation.findPropagatedContext(view).orElse(call.caller());
  }

  private static Mono<Object> single(
      LockedCall call, PropagatedContext around, Function<Object, Publisher<Object>> publishers) {
    SubscribedLease subscribed = new SubscribedLease(call);
    return subscribed
        .lease()
        .flatMap(
            lease ->
                Mono.defer(() -> Mono.fromDirect(work(call, lease, around, publishers)))
                    .materialize() // the value waits for the release
                    .flatMap(signal -> subscribed.end(lease, signal).thenReturn(signal))
                    .dematerialize())
        .doFinally(signal -> subscribed.abandon());
  }

  private static Flux<Object> many(
      LockedCall call, PropagatedContext around, Function<Object, Publisher<Object>> publishers) {
    SubscribedLease subscribed = new SubscribedLease(call);
    return subscribed
        .lease()
        .flatMapMany(
            lease ->
                Flux.defer(() -> work(call, lease, around, publishers))
                    .concatWith(
                        Mono.defer(
                            () -> subscribed.end(lease, Signal.complete()).then(Mono.empty())))
                    .onErrorResume(
                        error ->
                            subscribed.end(lease, Signal.error(error)).then(Mono.error(error))))
        .doFinally(signal -> subscribed.abandon());
  }

  /** The publisher that the method returns, with the lease in the context of its subscription. */
  private static Publisher<Object> work(
      LockedCall call,
      Lease lease,
      PropagatedContext around,
      Function<Object, Publisher<Object>> publishers) {
    Object result = call.proceed(lease, around);
    return result == null
        ? Mono.empty()
        : ReactivePropagation.propagate(
            around.plus(new LeaseElement(lease)), publishers.apply(result));
  }
}
