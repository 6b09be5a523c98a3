package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockTimeoutException;
import io.micronaut.context.ApplicationContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

class ReactorMethodsTest {
  private final Neighbour neighbour = new Neighbour();
  private final ApplicationContext context = neighbour.application();
  private final Orders orders = context.getBean(Orders.class);

  @AfterEach
  void close() {
    context.close();
    neighbour.close();
  }

  @Test
  void nothingIsAcquiredBeforeTheSubscription() {
    Mono<String> paid = orders.mono("7", Mono.just("paid"));
    assertThat(neighbour.isRefused("order:7")).isFalse();
    assertThat(orders.calls).hasValue(0);
    assertThat(paid.block(BOUND)).isEqualTo("paid");
    assertThat(orders.calls).hasValue(1);
  }

  @Test
  void aMonoHoldsTheLockUntilItHasItsValueAndIsFreeWhenTheCallerIsTold() {
    Sinks.One<String> work = Sinks.one();
    AtomicReference<Boolean> refusedWhenTold = new AtomicReference<>();
    Disposable subscription =
        orders
            .mono("7", work.asMono())
            .subscribe(value -> refusedWhenTold.set(neighbour.isRefused("order:7")));
    await().atMost(BOUND).until(() -> orders.calls.get() == 1);
    assertThat(neighbour.isRefused("order:7")).isTrue();
    work.tryEmitValue("paid").orThrow();
    await().atMost(BOUND).until(() -> refusedWhenTold.get() != null);
    assertThat(refusedWhenTold).hasValue(false);
    assertThat(subscription.isDisposed()).isTrue();
  }

  @Test
  void anEmptyMonoAndOneThatFailsFreeTheLock() {
    assertThat(orders.mono("7", Mono.empty()).block(BOUND)).isNull();
    assertThat(neighbour.isRefused("order:7")).isFalse();
    assertThatThrownBy(() -> orders.mono("7", Mono.error(new IOException("no"))).block(BOUND))
        .hasCause(new IOException("no"));
    assertThat(neighbour.isRefused("order:7")).isFalse();
    assertThatThrownBy(() -> orders.throwing().block(BOUND)).hasMessage("no");
    assertThat(neighbour.isRefused("throwing")).isFalse();
  }

  @Test
  void theWorkIsNotCancelledAfterItsValue() {
    AtomicReference<SignalType> end = new AtomicReference<>();
    orders.mono("7", Mono.just("paid").hide().doFinally(end::set)).block(BOUND);
    await().atMost(BOUND).untilAsserted(() -> assertThat(end).hasValue(SignalType.ON_COMPLETE));
  }

  @Test
  void cancellingAMonoFreesTheLock() {
    AtomicReference<SignalType> end = new AtomicReference<>();
    Disposable subscription =
        orders.mono("7", Mono.<String>never().doFinally(end::set)).subscribe();
    await().atMost(BOUND).until(() -> orders.calls.get() == 1);
    assertThat(neighbour.isRefused("order:7")).isTrue();
    subscription.dispose();
    neighbour.awaitFree("order:7");
    await().atMost(BOUND).untilAsserted(() -> assertThat(end).hasValue(SignalType.CANCEL));
  }

  @Test
  void cancellingASubscriptionThatWaitsGivesUp() {
    try (Lease held = neighbour.take("order:7")) {
      assertThat(held.isHeld()).isTrue();
      orders.mono("7", Mono.just("paid")).subscribe().dispose();
    }
    neighbour.awaitFree("order:7");
    assertThat(orders.calls).hasValue(0);
  }

  @Test
  void cancellationsThatRaceWithGrantsLeaveNothingHeld() {
    for (int i = 0; i < 300; i++) {
      Disposable subscription =
          orders.mono("7", Mono.never()).subscribeOn(Schedulers.parallel()).subscribe();
      for (int spin = 0; spin < i * 50; spin++) { // a different moment each time
        Thread.onSpinWait();
      }
      subscription.dispose();
    }
    neighbour.awaitFree("order:7");
  }

  @Test
  void aFluxHoldsTheLockUntilItsEndAndHonoursDemand() {
    List<Integer> got = new java.util.concurrent.CopyOnWriteArrayList<>();
    ConcurrentLinkedQueue<Boolean> refused = new ConcurrentLinkedQueue<>();
    Flux<Integer> items =
        orders
            .flux("7", Flux.range(1, 5))
            .doOnNext(i -> refused.add(neighbour.isRefused("order:7")));
    items.limitRate(1).doOnNext(got::add).blockLast(BOUND);
    assertThat(got).containsExactly(1, 2, 3, 4, 5);
    assertThat(refused).containsOnly(true);
    assertThat(neighbour.isRefused("order:7")).isFalse();
  }

  @Test
  void aFluxThatFailsOrIsCutShortFreesTheLock() {
    assertThatThrownBy(
            () ->
                orders
                    .flux("7", Flux.just(1).concatWith(Flux.error(new IOException("no"))))
                    .blockLast(BOUND))
        .hasCause(new IOException("no"));
    assertThat(neighbour.isRefused("order:7")).isFalse();
    assertThat(orders.flux("7", Flux.range(1, 5)).take(2).collectList().block(BOUND)).hasSize(2);
    neighbour.awaitFree("order:7");
  }

  @Test
  void aPlainPublisherIsLockedToo() {
    Publisher<String> published = orders.publisher(Mono.fromSupplier(() -> held("plain")));
    assertThat(Flux.from(published).blockFirst(BOUND)).isEqualTo("held");
    neighbour.awaitFree("plain");
  }

  private String held(String name) {
    return neighbour.isRefused(name) ? "held" : "free";
  }

  @Test
  void everySubscriptionHasALeaseOfItsOwn() {
    Mono<Long> tokens = orders.token(null);
    List<Long> all = Flux.merge(Flux.range(0, 20).map(i -> tokens)).collectList().block(BOUND);
    assertThat(all).doesNotHaveDuplicates().hasSize(20);
  }

  @Test
  void subscriptionsExcludeEachOther() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Mono<String> work =
        Mono.fromSupplier(
                () -> {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  return "in";
                })
            .publishOn(Schedulers.parallel())
            .doOnNext(value -> inside.decrementAndGet());
    CountDownLatch done = new CountDownLatch(10);
    for (int i = 0; i < 10; i++) {
      orders.mono("7", work).subscribe(value -> done.countDown());
    }
    assertThat(done.await(BOUND.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    assertThat(most).hasValue(1);
  }

  @Test
  void aBusyLockFailsOrSkips() {
    try (Lease held = neighbour.take("busy")) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> orders.fail().block(BOUND)).isInstanceOf(LockTimeoutException.class);
      assertThat(orders.skip().block(BOUND)).isNull();
      assertThat(orders.skipFlux().collectList().block(BOUND)).isEmpty();
    }
    assertThat(orders.skip().block(BOUND)).isEqualTo("not skipped");
    assertThat(orders.skipFlux().collectList().block(BOUND)).containsExactly("not skipped");
  }

  @Test
  void aLeaseThatIsLostMeanwhileFailsAtTheEnd() {
    try (ApplicationContext hasty = neighbour.application("leasehold.options.max-hold", "50ms")) {
      Orders lossy = hasty.getBean(Orders.class);
      assertThatThrownBy(() -> lossy.lost(null).block(BOUND))
          .isInstanceOf(LeaseLostException.class);
      assertThatThrownBy(() -> lossy.lostFlux(null).blockLast(BOUND))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aWrongNameFailsTheSubscriptionAndNotTheCall() {
    Mono<String> failed = orders.mono(null, Mono.just("paid"));
    assertThatThrownBy(() -> failed.block(BOUND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{id} is null");
  }

  @Test
  void theCallersReactorContextReachesTheWork() {
    Mono<String> paid = orders.mono("7", Mono.deferContextual(view -> Mono.just(view.get("who"))));
    assertThat(paid.contextWrite(view -> view.put("who", "me")).block(BOUND)).isEqualTo("me");
  }

  @Singleton
  static class Orders {
    final AtomicInteger calls = new AtomicInteger();
    private final CurrentLease current;

    Orders(CurrentLease current) {
      this.current = current;
    }

    @Locked("order:{id}")
    Mono<String> mono(@Nullable String id, Mono<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @Locked("order:{id}")
    Flux<Integer> flux(String id, Flux<Integer> work) {
      return work;
    }

    @Locked("plain")
    Publisher<String> publisher(Publisher<String> work) {
      return work;
    }

    @Locked("throwing")
    Mono<String> throwing() {
      throw new IllegalStateException("no");
    }

    @Locked("token")
    Mono<Long> token(@Nullable Lease lease) {
      return Mono.fromSupplier(
          () -> {
            assertThat(current.require()).isSameAs(lease);
            return requireNonNull(lease).fencingToken();
          });
    }

    @Locked(value = "busy", waitTime = "0s")
    Mono<String> fail() {
      return Mono.just("not failed");
    }

    @Locked(value = "busy", waitTime = "0s", onBusy = OnBusy.SKIP)
    Mono<String> skip() {
      return Mono.just("not skipped");
    }

    @Locked(value = "busy", waitTime = "0s", onBusy = OnBusy.SKIP)
    Flux<String> skipFlux() {
      return Flux.just("not skipped");
    }

    @Locked("lost")
    Mono<String> lost(@Nullable Lease lease) {
      return Mono.fromSupplier(() -> untilLost(requireNonNull(lease)));
    }

    @Locked("lost")
    Flux<String> lostFlux(@Nullable Lease lease) {
      return Flux.defer(() -> Flux.just(untilLost(requireNonNull(lease))));
    }

    private static String untilLost(Lease lease) {
      await().atMost(BOUND).until(() -> !lease.isHeld());
      return "done";
    }
  }
}
